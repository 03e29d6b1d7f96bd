package io.counterpart.cache.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MergedReportTest {
  private static final Set<String> EQUAL = Set.of("n", "k", "coder");
  private static final Set<String> LEAST = Set.of("ringsUp", "metadataCopies");
  private static final Set<String> LARGEST = Set.of("evictionAgeSeconds");
  private static final ChangeReport CHANGE = new ChangeReport("adding", "a:1", 3, 9, 2);

  /** A report whose numbers differ: the i-th is (100 + i) × the factor. */
  private static CodedReport coded(long factor) {
    RecordComponent[] components = CodedReport.class.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      boolean isEqual = EQUAL.contains(components[i].getName());
      long number = (100 + i) * (isEqual ? 1 : factor);
      Class<?> type = components[i].getType();
      values[i] = type == int.class ? (Object) (int) number : type == long.class ? number : "coder";
    }
    try {
      return (CodedReport) CodedReport.class.getDeclaredConstructors()[0].newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static TierReport merged(List<TierReport> shards) {
    return MergedReport.of(shards, List.of());
  }

  private static TierReport report(List<ServerReport> servers, CodedReport coded) {
    return new TierReport("echash", servers, coded, null);
  }

  private static long number(RecordComponent component, CodedReport report) {
    try {
      return ((Number) component.getAccessor().invoke(report)).longValue();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void numbers_are_sums_but_each_shard_loses_rings_and_copies_of_its_own() {
    List<CodedReport> shards = List.of(coded(7), coded(2), coded(5));

    CodedReport merged =
        merged(shards.stream().map(shard -> report(List.of(), shard)).toList()).coded();

    assertThat(merged).isNotNull();
    assertThat(merged.coder()).isEqualTo("coder");
    for (RecordComponent component : CodedReport.class.getRecordComponents()) {
      if (component.getType() == String.class) {
        continue;
      }
      LongStream numbers = shards.stream().mapToLong(shard -> number(component, shard));
      String name = component.getName();
      long expected =
          EQUAL.contains(name) || LEAST.contains(name)
              ? numbers.min().orElseThrow()
              : LARGEST.contains(name) ? numbers.max().orElseThrow() : numbers.sum();
      assertThat(number(component, merged)).as(name).isEqualTo(expected);
    }
  }

  @Test
  void servers_are_those_of_all_shards_by_shard_and_ring() {
    List<ServerReport> servers = new ArrayList<>();
    for (int shard = 0; shard < 3; shard++) {
      for (int ring = -1; ring < 3; ring++) {
        servers.add(new ServerReport("a:" + shard + ring, ring, "up", ring, shard));
      }
    }
    List<TierReport> shards = new ArrayList<>();
    for (int shard : new int[] {2, 0, 1}) {
      int number = shard;
      shards.add(
          report(
              servers.stream()
                  .filter(server -> server.shard() == number)
                  .sorted(Comparator.comparingInt(ServerReport::ring).reversed())
                  .toList(),
              coded(1)));
    }

    assertThat(merged(shards).servers()).isEqualTo(servers);
    assertThat(merged(shards).scheme()).isEqualTo("echash");
  }

  @Test
  void the_change_is_that_of_the_shard_that_has_one() {
    TierReport unchanged = report(List.of(), coded(1));
    TierReport changing = new TierReport("echash", List.of(), coded(2), CHANGE);

    assertThat(merged(List.of(unchanged, unchanged)).change()).isNull();
    assertThat(merged(List.of(unchanged, changing)).change()).isEqualTo(CHANGE);
  }

  @Test
  void a_report_alone_stays_as_it_is() {
    List<ServerReport> servers = List.of(new ServerReport("a:1", 2, "down", 3, 0));
    TierReport coded = new TierReport("echash", servers, coded(3), CHANGE);
    TierReport uncoded = new TierReport("vanilla", servers, null, null);

    assertThat(merged(List.of(coded))).isEqualTo(coded);
    assertThat(merged(List.of(uncoded))).isEqualTo(uncoded);
  }

  @Test
  void all_shards_are_told_also_those_without_a_report() {
    List<ShardReport> all =
        List.of(new ShardReport(0, "owner", ""), new ShardReport(1, "follower of b:1", "away"));

    TierReport merged = MergedReport.of(List.of(report(List.of(), coded(1))), all);

    assertThat(merged.shards()).isEqualTo(all);
    assertThat(merged.coded()).isEqualTo(coded(1));
  }
}
