package io.counterpart.lab.remote.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import io.counterpart.lab.setup.RunRefusedException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class DecoupledSwitchTest {
  @Test
  void without_an_answer_the_change_is_open() {
    assertThat(after(new DriverTimeoutException("late")).run()).isFalse();
  }

  @Test
  void a_refusal_leaves_the_table_as_it_is() {
    assertThatThrownBy(() -> after(new NoNodeAvailableException()).run())
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("k.t keeps its compaction: ");
  }

  private static DecoupledSwitch after(DriverException failure) {
    CqlSession session =
        (CqlSession)
            Proxy.newProxyInstance(
                DecoupledSwitchTest.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) -> {
                  throw failure;
                });
    return new DecoupledSwitch(session, "k.t");
  }
}
