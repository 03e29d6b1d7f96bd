package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WorkloadSpecTest {
  @Test
  void has_pairs_of_one_kibibyte() {
    assertThat(WorkloadSpec.of(10, 5, 1).userBytes()).isEqualTo(15 * 1024);
  }

  @Test
  void names_the_value_and_the_legal_range() {
    assertThatThrownBy(() -> WorkloadSpec.of(1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rows 1: must be 2 to 50000000");
    assertThatThrownBy(() -> WorkloadSpec.of(10, -1, 1)).hasMessageContaining("updates -1");
  }

  @Test
  void accepts_only_table_names_that_need_no_quoting() {
    assertThat(new TableRef("ks_1", "t").qualified()).isEqualTo("ks_1.t");
    assertThatThrownBy(() -> new TableRef("ks; DROP", "t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ks; DROP");
  }
}
