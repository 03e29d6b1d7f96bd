package io.counterpart.cassandra.locator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class HedgedReadsTest {
  private static final long NEVER = HedgedReads.NEVER_MICROS;

  private final Table table = new Table(TableId.fromUUID(new UUID(0, 1)));
  private final List<HedgedReads.Table> tables = new ArrayList<>(List.of(table));
  private OptionalLong usual = OptionalLong.of(1_200);
  private final HedgedReads hedged = new HedgedReads(0.1, () -> usual, this::found);

  private Collection<HedgedReads.Table> found() {
    return tables;
  }

  @Test
  void reads_wait_for_the_usual_time_while_few_are_hedged() {
    looks(30, 100, 4);

    assertThat(table.waits).isEqualTo(1_200);
  }

  @Test
  void no_read_is_hedged_beyond_the_share() {
    looks(30, 100, 11);

    assertThat(table.waits).isEqualTo(NEVER);

    looks(100, 100, 0);
    assertThat(table.waits).as("10 s later").isEqualTo(1_200);
  }

  @Test
  void the_usual_time_is_renewed_each_second() {
    looks(30, 100, 0);
    usual = OptionalLong.of(2_000);
    looks(11, 100, 0);

    assertThat(table.waits).isEqualTo(2_000);
  }

  @Test
  void cassandras_own_time_stays_where_no_endpoint_was_timed() {
    usual = OptionalLong.empty();
    table.waits = 7;

    looks(30, 100, 0);

    assertThat(table.waits).isEqualTo(7);
  }

  @Test
  void a_table_that_comes_back_begins_with_no_allowance() {
    looks(30, 100, 0);
    tables.clear();
    hedged.run();
    tables.add(table);
    assertThat(table.waits).isEqualTo(1_200);
    looks(1, 100, 0);

    assertThat(table.waits).isEqualTo(NEVER);
  }

  @Test
  void the_middle_endpoint_says_when_a_read_is_late() {
    assertThat(HedgedReads.middleMicros(new double[] {900, 0, 40_000, 1_100})).hasValue(1_100);
    assertThat(HedgedReads.middleMicros(new double[] {300, 900})).hasValue(900);
    assertThat(HedgedReads.middleMicros(new double[] {0, 0})).isEmpty();
    assertThat(HedgedReads.middleMicros(new double[0])).isEmpty();
  }

  private void looks(int count, int reads, int hedges) {
    for (int i = 0; i < count; i++) {
      table.reads += reads;
      table.hedges += hedges;
      hedged.run();
    }
  }

  private static final class Table implements HedgedReads.Table {
    private final TableId id;
    private long reads;
    private long hedges;
    private long waits;

    Table(TableId id) {
      this.id = id;
    }

    @Override
    public TableId id() {
      return id;
    }

    @Override
    public long reads() {
      return reads;
    }

    @Override
    public long hedges() {
      return hedges;
    }

    @Override
    public void waitMicros(long micros) {
      waits = micros;
    }
  }
}
