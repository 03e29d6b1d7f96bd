package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Coder;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One read of columns of a stripe. It fetches the objects from their servers, decodes the missing
 * ones, and reads each parity item once for all columns. Nobody may write into the stripe until the
 * read ends. Paper: ECHash §4.4 (degraded reads), §4.5 (fragment repair).
 */
public final class ColumnRead {
  private final Shard shard;
  private final CodeShape code;
  private final Columns wanted;
  private final RecordSource source;
  private final int stripe;
  private final int[] slots;
  private final int slotBytes;
  private final Consumer<ColumnRead> done;

  /** By column and data chunk: the slot's present content; null while it is not known. */
  private final byte[][] @Nullable [] contents;

  /** By column and data chunk: whether the object's server lacked it, or was not asked. */
  private final boolean[][] missing;

  private final byte[] @Nullable [] parity;
  private final long[] folded;
  private final long lossesBefore;
  private final boolean wasAnyAway;
  private int waiting = 1;

  private ColumnRead(Shard shard, Columns wanted, RecordSource source, Consumer<ColumnRead> done) {
    this.shard = shard;
    this.code = shard.code();
    this.wanted = wanted;
    this.source = source;
    this.stripe = wanted.stripe();
    this.slots = wanted.slots();
    this.slotBytes = shard.slotBytes(stripe);
    this.done = done;
    this.contents = new byte[slots.length][code.k()][];
    this.missing = new boolean[slots.length][code.k()];
    this.parity = new byte[code.parityCount()][];
    this.folded = new long[code.parityCount()];
    this.lossesBefore = shard.placement().losses();
    this.wasAnyAway = shard.placement().isAnyAway();
  }

  /**
   * Starts a read.
   *
   * @param done gets the read once everything that can be read was read
   */
  public static void begin(Shard shard, Columns wanted, Consumer<ColumnRead> done) {
    begin(shard, wanted, (place, key, hash, got) -> shard.items().getRecord(key, hash, got), done);
  }

  /**
   * As {@link #begin(Shard, Columns, Consumer)}.
   *
   * @param source has the objects; those that it does not give are decoded
   */
  public static void begin(
      Shard shard, Columns wanted, RecordSource source, Consumer<ColumnRead> done) {
    new ColumnRead(shard, wanted, source, done).begin();
  }

  /**
   * The present content of a place in one of the columns, perhaps with trailing zeros; null if too
   * much is lost.
   */
  public byte @Nullable [] contentOf(Place place) {
    return contents[column(place)][place.chunk()];
  }

  private int column(Place place) {
    for (int column = 0; column < slots.length; column++) {
      if (slots[column] == place.slot()) {
        return column;
      }
    }
    throw new IllegalArgumentException(place + ", legal: slots " + Arrays.toString(slots));
  }

  /** Makes a place in one of the columns count as empty. */
  void forget(Place place) {
    contents[column(place)][place.chunk()] = Xor.nothing();
  }

  /** Whether the object's server lacked it, or was not asked, for a place in one of the columns. */
  public boolean wasMissing(Place place) {
    return missing[column(place)][place.chunk()];
  }

  /**
   * Whether a server was out of reach that may have some of what is missing: what cannot be decoded
   * now may be later.
   */
  public boolean mayHaveMissed() {
    return wasAnyAway
        || shard.placement().isAnyAway()
        || shard.placement().losses() != lossesBefore;
  }

  /** Sequence up to which the parity that was read is folded; −1 if none was read. */
  public long folded() {
    long newest = -1;
    for (int i = 0; i < parity.length; i++) {
      newest = parity[i] == null ? newest : Math.max(newest, folded[i]);
    }
    return newest;
  }

  /** Whether every slot's content is known. */
  public boolean isWhole() {
    return Arrays.stream(contents).flatMap(Arrays::stream).allMatch(bytes -> bytes != null);
  }

  /** Supplies every slot's content. */
  public Coder.SlotSource source() {
    return taker -> {
      for (int column = 0; column < slots.length; column++) {
        for (int chunk = 0; chunk < code.k(); chunk++) {
          byte[] content = contents[column][chunk];
          if (content != null) {
            int length = Math.min(content.length, slotBytes);
            taker.accept(
                length == content.length ? content : Arrays.copyOf(content, length),
                Place.within(chunk, slots[column]));
          }
        }
      }
    };
  }

  private void begin() {
    boolean open = shard.stripes().state(stripe) == StripeState.OPEN;
    for (int column = 0; column < slots.length; column++) {
      for (int chunk = 0; chunk < code.k(); chunk++) {
        if (open) {
          contents[column][chunk] = shard.pending().delta(stripe, chunk, slots[column]);
        } else {
          readObject(column, chunk);
        }
      }
    }
    oneLess(this::readParity);
  }

  private void readObject(int column, int chunk) {
    byte[] bytes = shard.metadata().key(stripe, chunk, slots[column]);
    if (bytes == null) {
      contents[column][chunk] = Xor.nothing();
      return;
    }
    waiting++;
    source.get(
        new Place(stripe, chunk, slots[column]),
        Key.of(bytes),
        KeyHash.of(bytes),
        item -> {
          if (item != null && isThere(bytes, item)) {
            contents[column][chunk] = ByteBufUtil.getBytes(item);
            wanted.tally().records().add(item.readableBytes());
          } else {
            missing[column][chunk] = true;
          }
          if (item != null) {
            item.release();
          }
          oneLess(this::readParity);
        });
  }

  /**
   * Whether an item is the slot's record. A record of another class is not: a crash left it on its
   * server.
   */
  private boolean isThere(byte[] key, ByteBuf item) {
    return shard.records().decode(key, item) != null && shard.fits(item, stripe);
  }

  private void oneLess(Runnable next) {
    if (--waiting == 0) {
      next.run();
    }
  }

  private void readParity() {
    int needed = mostMissing();
    if (needed == 0) {
      done.accept(this);
    } else {
      readParity(0, Math.min(needed, code.parityCount()), needed);
    }
  }

  private int mostMissing() {
    int most = 0;
    for (boolean[] column : missing) {
      int count = 0;
      for (boolean lost : column) {
        count += lost ? 1 : 0;
      }
      most = Math.max(most, count);
    }
    return most;
  }

  /** Reads some parity items, and all others if those are not enough. */
  private void readParity(int from, int end, int needed) {
    waiting = 1 + end - from;
    Runnable next =
        () -> {
          boolean enough = Arrays.stream(parity).filter(bytes -> bytes != null).count() >= needed;
          if (enough || end == code.parityCount()) {
            decode();
          } else {
            readParity(end, code.parityCount(), needed);
          }
        };
    for (int i = from; i < end; i++) {
      readParity(i, next);
    }
    oneLess(next);
  }

  private void readParity(int i, Runnable next) {
    ParityItem.read(
        shard,
        stripe,
        i,
        wanted.tally().parity(),
        item -> {
          if (item != null && item.bytes().length == slotBytes * shard.slotsPerChunk(stripe)) {
            parity[i] = item.bytes();
            folded[i] = item.folded();
          }
          oneLess(next);
        });
  }

  private void decode() {
    for (int column = 0; column < slots.length; column++) {
      decode(column);
    }
    done.accept(this);
  }

  /** Decodes a column in the state of its parity: contents without pending deltas. */
  private void decode(int column) {
    byte[][] chunks = new byte[code.n()][];
    int available = 0;
    for (int chunk = 0; chunk < code.k(); chunk++) {
      byte[] content = contents[column][chunk];
      if (content != null) {
        chunks[chunk] = Xor.of(content, pending(column, chunk));
        available++;
      }
    }
    if (available == code.k()) {
      return;
    }
    long newest = Arrays.stream(folded).max().orElse(0);
    for (int i = 0; i < parity.length && available < code.k(); i++) {
      byte[] bytes = parity[i];
      if (bytes != null && folded[i] == newest) {
        int from = slots[column] * slotBytes;
        chunks[code.k() + i] = Arrays.copyOfRange(bytes, from, from + slotBytes);
        available++;
      }
    }
    if (available < code.k()) {
      return;
    }
    shard.coder().decode(slotBytes, chunks);
    for (int chunk = 0; chunk < code.k(); chunk++) {
      if (contents[column][chunk] == null) {
        contents[column][chunk] = Xor.of(chunks[chunk], pending(column, chunk));
      }
    }
  }

  private byte[] pending(int column, int chunk) {
    return shard.pending().delta(stripe, chunk, slots[column]);
  }
}
