package io.counterpart.cassandra.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.engine.WriteMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;

class EngineParametersTest {

  private static EngineParameters take(Map<String, String> parameters) {
    return EngineParameters.take(new HashMap<>(parameters));
  }

  @Test
  void writes_are_buffered_unless_the_configuration_says_direct() {
    assertThat(take(Map.of("engine", "lmdb")).mode()).isEqualTo(WriteMode.BUFFERED);
    assertThat(take(Map.of("engine", "lmdb", "mode", "buffered")).mode())
        .isEqualTo(WriteMode.BUFFERED);
    EngineParameters direct = take(Map.of("engine", "lmdb", "mode", "direct", "size", "9"));
    assertThat(direct.mode()).isEqualTo(WriteMode.DIRECT);
    assertThat(direct.options()).as("the engine's own").containsExactly(Map.entry("size", "9"));
  }

  @Test
  void another_mode_is_refused() {
    assertThatThrownBy(() -> take(Map.of("engine", "lmdb", "mode", "async")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("parameter 'mode': 'async' is neither buffered nor direct");
  }

  @Test
  void a_sweep_comes_daily_unless_the_configuration_says_otherwise() {
    assertThat(take(Map.of()).sweepAfter()).isEqualTo(Duration.ofDays(1));
    assertThat(take(Map.of("sweep_after", "10m")).sweepAfter()).isEqualTo(Duration.ofMinutes(10));
    assertThat(take(Map.of("sweep_after", "never")).sweepAfter()).isNull();
    assertThat(take(Map.of()).absorbAfter()).isEqualTo(Duration.ofSeconds(60));
    for (String refused : List.of("0s", "often", "-1s")) {
      assertThatThrownBy(() -> take(Map.of("sweep_after", refused)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessage(
              "parameter 'sweep_after' is '%s', neither a time of 1s or more, as 1d or 10m, nor never",
              refused);
    }
  }

  @Test
  void the_engine_without_a_store_has_no_mode() {
    assertThatThrownBy(() -> take(Map.of("engine", "lsm", "mode", "direct")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("'mode' is 'direct'")
        .hasMessageContaining("'lsm' has no store");
  }
}
