package io.counterpart.cassandra.consistency.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.staleness.estimate.ErrorBudget;
import io.counterpart.core.staleness.estimate.SampledWrites;
import io.counterpart.core.staleness.estimate.WriteSample;
import java.net.UnknownHostException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class EstimatesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int SETS = Estimates.MOST_SAMPLES / SampledWrites.CAPACITY + 1;

  private final InetAddressAndPort one = address("127.0.0.1");
  private final InetAddressAndPort other = address("127.0.0.2");
  private final List<SetKey> keys = IntStream.range(0, SETS).mapToObj(i -> key()).toList();
  private final AtomicLong nanos = new AtomicLong();
  private final Estimates estimates =
      new Estimates(ErrorBudget.HOURLY, nanos::get, new SplittableRandom(1));

  @Test
  void a_replica_that_hangs_is_suspect_also_while_memory_is_full() {
    fill();

    for (int i = 0; i < 3; i++) {
      estimates.add(keys.get(0), write(false));
    }
    nanos.addAndGet(2 * SECOND);
    evaluate();
    assertThat(estimates.suspects()).containsExactly(other);
    assertThat(estimates.leftOut()).isZero();
  }

  @Test
  void while_memory_is_full_sets_give_way_to_those_with_few_samples() {
    fill();

    SetKey late = key();
    estimates.add(late, write(true));
    estimates.add(keys.get(0), write(true));
    assertThat(size(late)).isEqualTo(1);
    assertThat(size(keys.get(0))).isEqualTo(SampledWrites.CAPACITY - 1);

    // down to its share, and no further
    for (int i = 0; i < SampledWrites.CAPACITY; i++) {
      estimates.add(keys.get(0), write(true));
    }
    assertThat(size(keys.get(0))).isEqualTo(Estimates.MOST_SAMPLES / SETS);
  }

  @Test
  void what_sets_with_few_samples_leave_is_for_those_with_many() {
    fill();
    int few = 100;
    for (int i = 0; i < few; i++) {
      estimates.add(key(), write(true));
    }
    evaluate();

    for (int i = 0; i < SampledWrites.CAPACITY; i++) {
      estimates.add(keys.get(0), write(true));
    }
    assertThat(size(keys.get(0))).isEqualTo((Estimates.MOST_SAMPLES - few) / SETS);
  }

  private void fill() {
    for (SetKey key : keys) {
      for (int i = 0; i < SampledWrites.CAPACITY; i++) {
        estimates.add(key, write(true));
      }
    }
    nanos.addAndGet(SECOND);
    evaluate();
  }

  private void evaluate() {
    estimates.evaluate(table -> true, table -> OptionalLong.empty());
  }

  private int size(SetKey key) {
    return estimates.find(key).orElseThrow().writes().size(nanos.get());
  }

  private SetKey key() {
    return new SetKey(TableId.fromUUID(UUID.randomUUID()), List.of(one, other));
  }

  /** That the first replica has acknowledged, and perhaps the other one. */
  private WriteSample write(boolean both) {
    WriteSample write = new WriteSample(2);
    write.arrived(0, nanos.get());
    if (both) {
      write.arrived(1, nanos.get());
    }
    write.returned(nanos.get());
    return write;
  }

  private static InetAddressAndPort address(String name) {
    try {
      return InetAddressAndPort.getByNameOverrideDefaults(name, 7000);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
