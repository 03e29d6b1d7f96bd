package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.shard.Shard;
import java.util.Arrays;

/**
 * The columns of a stripe that are to be read.
 *
 * @param slots the columns, each once
 * @param tally counts the reads
 */
public record Columns(int stripe, int[] slots, ReadTally tally) {

  /** All columns of a stripe. */
  public static Columns all(Shard shard, int stripe, ReadTally tally) {
    int[] slots = new int[shard.slotsPerChunk(stripe)];
    Arrays.setAll(slots, i -> i);
    return new Columns(stripe, slots, tally);
  }
}
