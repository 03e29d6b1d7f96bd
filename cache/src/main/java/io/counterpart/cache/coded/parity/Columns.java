package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.shard.Shard;
import java.util.Arrays;

/**
 * The columns of a stripe that are to be read.
 *
 * @param slots the columns, each once
 * @param lostChunk a data chunk whose objects are decoded instead of read; {@link #NONE} if all are
 *     read
 * @param tally counts the reads
 */
public record Columns(int stripe, int[] slots, int lostChunk, ReadTally tally) {
  static final int NONE = -1;

  public static Columns of(int stripe, int[] slots, ReadTally tally) {
    return new Columns(stripe, slots, NONE, tally);
  }

  /** All columns of a stripe. */
  public static Columns all(Shard shard, int stripe, ReadTally tally) {
    int[] slots = new int[shard.slotsPerChunk(stripe)];
    Arrays.setAll(slots, i -> i);
    return of(stripe, slots, tally);
  }

  /** The same, with the objects of one chunk decoded although they may be there. */
  public Columns without(int chunk) {
    return new Columns(stripe, slots, chunk, tally);
  }
}
