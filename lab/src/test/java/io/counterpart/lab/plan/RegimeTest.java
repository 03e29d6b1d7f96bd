package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RegimeTest {
  private static final long MIB = 1 << 20;

  @Test
  void a_servers_cache_is_as_large_as_it_says_whatever_the_table_holds() {
    Regime regime = Regime.ofServer(50, 100);

    assertThat(regime.cacheBytes(0)).isEqualTo(50 * MIB);
    assertThat(regime.cacheBytes(1000 * MIB)).isEqualTo(50 * MIB);
    assertThat(regime.isLimited()).isTrue();
    assertThat(regime.describe()).isEqualTo("page cache 50 MiB, 100 disk reads/s a server");
    assertThat(regime.beside(10)).isEqualTo(Regime.ofServer(40, 100));
    assertThat(regime.beside(30)).as("the least").isEqualTo(Regime.ofServer(32, 100));
    assertThat(regime.atFullDiskSpeed().cacheBytes(0)).isEqualTo(50 * MIB);
    assertThat(regime.atFullDiskSpeed().readsPerSecond()).isEqualTo(1_000_000);
  }

  @Test
  void a_fraction_is_of_the_table_and_leaves_what_processes_need() {
    Regime regime = new Regime(0.5, 100);

    assertThat(regime.cacheBytes(200 * MIB)).isEqualTo(100 * MIB);
    assertThat(regime.cacheBytes(MIB)).isEqualTo(32 * MIB);
    assertThat(Regime.UNLIMITED.cacheBytes(200 * MIB)).isZero();
  }

  @Test
  void a_cache_that_a_process_cannot_live_in_is_refused() {
    assertThatThrownBy(() -> Regime.ofServer(31, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("page cache of a server 31 MiB")
        .hasMessageContaining("32 or above");
  }
}
