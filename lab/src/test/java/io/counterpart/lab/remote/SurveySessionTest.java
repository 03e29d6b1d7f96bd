package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import org.junit.jupiter.api.Test;

class SurveySessionTest {
  @Test
  void an_answer_that_did_not_come_is_no_refusal() {
    assertThat(SurveySession.isRefusal(new ClosedConnectionException("lost"))).isFalse();
    assertThat(SurveySession.isRefusal(new DriverTimeoutException("late"))).isFalse();
    assertThat(SurveySession.isRefusal(new NoNodeAvailableException())).isTrue();
  }
}
