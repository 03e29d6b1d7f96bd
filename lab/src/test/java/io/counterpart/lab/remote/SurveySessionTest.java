package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import org.junit.jupiter.api.Test;

class SurveySessionTest {
  @Test
  void an_answer_that_did_not_come_is_no_refusal() {
    assertThat(SurveySession.isRefusal(new ClosedConnectionException("lost"))).isFalse();
    assertThat(SurveySession.isRefusal(new DriverTimeoutException("late"))).isFalse();
    assertThat(SurveySession.isRefusal(new NoNodeAvailableException())).isTrue();
  }

  /** A session that does not get it in time finds no tables, and says so to nobody. */
  @Test
  void nodes_have_as_long_for_the_schema_as_for_any_request() {
    DriverExecutionProfile profile = SurveySession.config().getInitialConfig().getDefaultProfile();

    assertThat(profile.getDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT))
        .isEqualTo(profile.getDuration(DefaultDriverOption.REQUEST_TIMEOUT));
  }
}
