package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.workload.SeededWorkload.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

class SeededWorkloadTest {
  private static final int ROWS = 500;

  @Test
  void inserts_every_key_once_in_order() {
    Trace trace = new Trace();
    SeededWorkload workload = workload(Operation.UPDATE, 1);

    for (int i = 0; i < ROWS; i++) {
      workload.doInsert(trace, null);
    }

    assertThat(trace.operations).hasSize(ROWS).first().isEqualTo("insert 0");
    assertThat(trace.operations).last().isEqualTo("insert 499");
    assertThat(trace.operations).doesNotHaveDuplicates();
  }

  @Test
  void updates_the_same_keys_for_the_same_seed_only() {
    assertThat(updates(1)).isEqualTo(updates(1)).allMatch(line -> line.startsWith("update "));
    assertThat(updates(2)).isNotEqualTo(updates(1));
  }

  @Test
  void reads_only_when_asked_to_read() {
    Trace trace = new Trace();
    SeededWorkload workload = workload(Operation.READ, 1);

    for (int i = 0; i < 100; i++) {
      workload.doTransaction(trace, null);
    }

    assertThat(trace.operations).hasSize(100).allMatch(line -> line.startsWith("read "));
  }

  @Test
  void names_keys_as_the_paper_sizes_them() {
    assertThat(SeededWorkload.keyName(123)).hasSize(24).startsWith("user0").endsWith("0123");
    assertThat(SeededWorkload.keyNumber(SeededWorkload.keyName(123))).isEqualTo(123);
  }

  private static List<String> updates(long seed) {
    Trace trace = new Trace();
    SeededWorkload workload = workload(Operation.UPDATE, seed);
    for (int i = 0; i < 200; i++) {
      workload.doTransaction(trace, null);
    }
    return trace.operations;
  }

  private static SeededWorkload workload(Operation operation, long seed) {
    return SeededWorkload.create(WorkloadSpec.of(ROWS, 0, seed), ROWS, operation, seed);
  }

  /** Notes what the core workload asks for. */
  private static final class Trace extends DB {
    private final List<String> operations = new ArrayList<>();

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return note("read", key);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return note("update", key);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return note("insert", key);
    }

    @Override
    public Status scan(
        String table,
        String key,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return note("scan", key);
    }

    @Override
    public Status delete(String table, String key) {
      return note("delete", key);
    }

    private Status note(String operation, String key) {
      operations.add(operation + " " + SeededWorkload.keyNumber(key));
      return Status.OK;
    }
  }
}
