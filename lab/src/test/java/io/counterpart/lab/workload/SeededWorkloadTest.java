package io.counterpart.lab.workload;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

class SeededWorkloadTest {
  private static final int ROWS = 500;

  @Test
  void inserts_every_key_once_in_order() {
    Trace trace = new Trace();
    SeededWorkload workload = workload(OperationMix.UPDATES, 1);

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
    SeededWorkload workload = workload(OperationMix.READS, 1);

    for (int i = 0; i < 100; i++) {
      workload.doTransaction(trace, null);
    }

    assertThat(trace.operations).hasSize(100).allMatch(line -> line.startsWith("read "));
  }

  @ParameterizedTest
  @CsvSource({
    "ycsb_a, 50, 50, 0, 0",
    "ycsb_b, 95, 5, 0, 0",
    "ycsb_c, 100, 0, 0, 0",
    "ycsb_d, 95, 0, 5, 0",
    "ycsb_e, 0, 0, 5, 95",
    "ycsb_f, 100, 50, 0, 0"
  })
  void mixes_operations_as_ycsb_does(String name, int reads, int updates, int inserts, int scans) {
    List<String> operations = transactions(OperationMix.named(name), 1, 10_000);

    assertThat(operations).isEqualTo(transactions(OperationMix.named(name), 1, 10_000));
    assertThat(percent(operations, "read")).isCloseTo(reads, Offset.offset(2.0));
    assertThat(percent(operations, "update")).isCloseTo(updates, Offset.offset(2.0));
    assertThat(percent(operations, "insert")).isCloseTo(inserts, Offset.offset(2.0));
    assertThat(percent(operations, "scan")).isCloseTo(scans, Offset.offset(2.0));
  }

  @Test
  void reads_the_latest_keys_most_often() {
    long old =
        transactions(OperationMix.named("ycsb_d"), 1, 2000).stream()
            .filter(line -> line.startsWith("read "))
            .filter(line -> Integer.parseInt(line.substring(5)) < ROWS / 2)
            .count();

    assertThat(old).isLessThan(300);
  }

  @Test
  void reads_all_keys_alike() {
    List<String> reads = transactions(OperationMix.UNIFORM_READS, 1, 10_000);

    assertThat(reads).isEqualTo(transactions(OperationMix.UNIFORM_READS, 1, 10_000));
    // 20 of each: a Zipfian's first key alone would have 1,500
    assertThat(reads.stream().collect(groupingBy(line -> line, counting())).values())
        .hasSize(ROWS)
        .allMatch(count -> count < 50);
  }

  private static List<String> updates(long seed) {
    return transactions(OperationMix.UPDATES, seed, 200);
  }

  private static List<String> transactions(OperationMix mix, long seed, int count) {
    Trace trace = new Trace();
    SeededWorkload workload = workload(mix, seed);
    for (int i = 0; i < count; i++) {
      workload.doTransaction(trace, null);
    }
    return trace.operations;
  }

  private static double percent(List<String> operations, String kind) {
    return 100.0 * operations.stream().filter(line -> line.startsWith(kind + " ")).count() / 10_000;
  }

  private static SeededWorkload workload(OperationMix mix, long seed) {
    return SeededWorkload.create(WorkloadSpec.of(ROWS, 0, seed), ROWS, mix, seed);
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
      operations.add(operation + " " + KeyNames.number(key));
      return Status.OK;
    }
  }
}
