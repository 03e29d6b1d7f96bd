package io.counterpart.lab.remote.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.engine.advice.Advice;
import io.counterpart.core.engine.advice.Load;
import io.counterpart.core.engine.advice.Storage;
import io.counterpart.core.engine.advice.TableAdvisor;
import io.counterpart.core.engine.advice.TableFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final String CLASS = "io.counterpart.cassandra.engine.EngineMemtable";
  private static final String HEAP_SPACE = "175MiB";

  @Test
  void it_is_the_parameter_or_else_what_memtables_have() {
    assertThat(of("{engine=memory, memory=64MiB}")).isEqualTo(64L << 20);
    assertThat(of("{engine=memory}")).isEqualTo(175L << 20);
  }

  @Test
  void no_table_is_sent_where_its_rows_would_be_in_the_heap_alone() {
    long budget = of("{engine=memory, volatile=true, memory=1GiB}");

    assertThat(budget).isEqualTo(MemoryBudget.NONE);
    assertThat(advised(budget)).isEqualTo(Advice.Action.LMDB);
    assertThat(advised(of("{engine=memory, volatile=false, memory=1GiB}")))
        .isEqualTo(Advice.Action.MEMORY);
  }

  private static long of(String parameters) {
    return MemoryBudget.of("{memory=" + CLASS + parameters + "}", HEAP_SPACE);
  }

  /** On a table that is read, of less than a MiB. */
  private static Advice.Action advised(long budget) {
    Load load = new Load(900, 100, 0, 900, 10_000, 0.05);
    TableFacts facts =
        new TableFacts("app.t", Storage.SSTABLES, "Unified", 3, "", 0, Double.NaN, load);
    return TableAdvisor.advise(List.of(facts), budget).get(0).action();
  }
}
