package io.counterpart.lab.remote.mix;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import org.junit.jupiter.api.Test;

class MixedKeyspaceTest {
  @Test
  void an_answer_that_did_not_come_is_no_refusal() {
    assertThat(MixedKeyspace.isRefusal(new ClosedConnectionException("lost"))).isFalse();
    assertThat(MixedKeyspace.isRefusal(new DriverTimeoutException("late"))).isFalse();
    assertThat(MixedKeyspace.isRefusal(new NoNodeAvailableException())).isTrue();
  }
}
