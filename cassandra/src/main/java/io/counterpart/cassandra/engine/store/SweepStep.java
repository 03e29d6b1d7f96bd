package io.counterpart.cassandra.engine.store;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A step of a walk that purges a store.
 *
 * @param next where the walk goes on, the very position where it began if others were writing; null
 *     at its end
 * @param changes entries that went, became shorter or were finished
 */
public record SweepStep(@Nullable Position next, int changes) {
  /** Of a store without partitions. */
  static final SweepStep END = new SweepStep(null, 0);

  /**
   * Where a step ends, with at least one entry.
   *
   * @param mostBytes of entries that are read, about
   * @param mostNanos time that reading takes, about
   * @param nanoTime clock
   * @param isAwaited whether others wait for its end
   */
  public record Limit(
      long mostBytes, long mostNanos, LongSupplier nanoTime, BooleanSupplier isAwaited) {
    /** Others wait so long at least, or a walk beside many writers would not get on. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** For whom nobody waits. */
    public Limit(long mostBytes, long mostNanos, LongSupplier nanoTime) {
      this(mostBytes, mostNanos, nanoTime, () -> false);
    }

    Limit unless(BooleanSupplier awaited) {
      return new Limit(mostBytes, mostNanos, nanoTime, awaited);
    }

    /** Whether a step that begins now ends, by the bytes so far. */
    LongPredicate begin() {
      long begin = nanoTime.getAsLong();
      return bytes -> bytes >= mostBytes || (bytes > 0 && isOver(nanoTime.getAsLong() - begin));
    }

    private boolean isOver(long nanos) {
      return nanos >= mostNanos || (nanos >= LEAST_NANOS && isAwaited.getAsBoolean());
    }
  }

  /** Where a walk goes on, before an entry. Immutable, and good for any store of the table. */
  public static final class Position {
    /** Before the first partition. */
    public static final Position BEGIN = new Position(EntryKeys.FIRST, null);

    private final byte[] next;
    private final @Nullable Begun partition;

    Position(byte[] next, @Nullable Begun partition) {
      this.next = next;
      this.partition = partition;
    }

    /** The least key that is ahead. */
    byte[] next() {
      return next;
    }

    /** The partition of which rows are behind and ahead; null between partitions. */
    @Nullable Begun partition() {
      return partition;
    }
  }

  /** The header of a partition when the walk came to it. */
  static final class Begun {
    private final byte[] key;
    private final byte[] value;

    Begun(byte[] key, byte[] value) {
      this.key = key;
      this.value = value;
    }

    byte[] key() {
      return key;
    }

    byte[] value() {
      return value;
    }
  }
}
