package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.StripeParity;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.RecordBytes;
import io.counterpart.cache.coded.stripe.SlotChain;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes the interrupted writes of one stripe. It brings each record to the state of its slot's
 * last journal entry, then folds the journal entries into parity. {@link Replay} has already
 * brought the metadata up to date. The operation is idempotent, and nothing else runs in the shard.
 * Belongs to its event loop.
 */
final class StripeReplay {
  private static final Logger logger = LoggerFactory.getLogger(StripeReplay.class);

  private final Shard shard;
  private final Folding folding;
  private final int stripe;
  private final Map<Integer, SlotChain> chains;
  private final Consumer<ServerLink> lacking;
  private final Map<Integer, byte[]> records = new TreeMap<>();

  /**
   * Sequence of the last write in each parity item, as it was found at first; −1 if there was none.
   * Entries were dropped with a view to these.
   */
  private final long[] foundParity;

  /** Keys of entries that were dropped for want of parity: nobody may know their records now. */
  private final Set<Key> undone = new LinkedHashSet<>();

  /** Those of them that a slot got last. */
  private final Set<Key> arrived = new LinkedHashSet<>();

  /** Sequence up to which all writes are complete. */
  private long complete;

  /**
   * @param chains journal entries by place within the stripe
   * @param lacking gets servers that lack a record which cannot be written
   */
  StripeReplay(
      Shard shard,
      Folding folding,
      int stripe,
      Map<Integer, SlotChain> chains,
      Consumer<ServerLink> lacking) {
    this.shard = shard;
    this.folding = folding;
    this.stripe = stripe;
    this.chains = chains;
    this.lacking = lacking;
    this.foundParity = new long[shard.code().parityCount()];
  }

  /** The last write of a slot that is {@link #incomplete}. */
  SlotChain.Entry last(int within) {
    return chain(within).last();
  }

  /** Whether the slot's writes begin with an insert and leave an object. */
  boolean isInserted(int within) {
    SlotChain chain = chain(within);
    return chain.chain().get(0).kind() == JournalEntry.Kind.INSERT
        && chain.last().kind() != JournalEntry.Kind.FREE;
  }

  /**
   * Whether the object that the metadata have in a slot has left it: it was freed, or another one
   * was inserted, which needs a free slot.
   */
  boolean hasLeft(int within, byte[] assigned) {
    SlotChain.Entry last = last(within);
    boolean isItsOwn = Arrays.equals(last.key(), assigned);
    return last.kind() == JournalEntry.Kind.FREE
        ? isItsOwn || chain(within).frees(assigned)
        : !isItsOwn && isInserted(within);
  }

  private SlotChain chain(int within) {
    return Objects.requireNonNull(chains.get(within));
  }

  /**
   * Reads parity, which shows the complete writes: those up to the sequence of some parity item.
   * Their entries may still exist, in journal items that hold others too.
   */
  void readParity(Runnable done) {
    if (shard.stripes().state(stripe) == StripeState.OPEN) {
      complete = shard.metadata().log().chunks().begunAt(stripe);
      chains.values().removeIf(chain -> chain.dropUpTo(complete));
      done.run();
      return;
    }
    StripeParity parity = new StripeParity(shard.code().parityCount());
    parity.read(
        shard,
        stripe,
        () -> {
          complete = parity.newest();
          for (int i = 0; i < foundParity.length; i++) {
            foundParity[i] = parity.items()[i] == null ? -1 : parity.folded(i);
          }
          noteMissing(parity.items());
          dropFolded(parity);
          dropGivenUp();
          done.run();
        });
  }

  private void noteMissing(byte[] @Nullable [] items) {
    if (Arrays.stream(items).anyMatch(item -> item == null)) {
      shard.missingParity().add(stripe, List.of(), List.of());
    }
  }

  /**
   * Drops the entries that every parity item includes. They are not needed, and may be of an
   * earlier life of the stripe. Without any parity item nothing tells which those are, so all
   * entries are dropped: the code tolerates no further loss then, so the records are all there.
   */
  private void dropFolded(StripeParity parity) {
    long inAll = Long.MAX_VALUE;
    for (int i = 0; i < shard.code().parityCount(); i++) {
      inAll = parity.items()[i] == null ? inAll : Math.min(inAll, parity.folded(i));
    }
    long dropped = inAll;
    if (dropped == Long.MAX_VALUE) {
      for (SlotChain chain : chains.values()) {
        undone.addAll(chain.keys());
        if (chain.last().kind() != JournalEntry.Kind.FREE) {
          arrived.add(Key.of(chain.last().key()));
        }
      }
    }
    chains.values().removeIf(chain -> chain.dropUpTo(dropped));
  }

  /**
   * Drops entries that an earlier restart gave up after it had written some parity item: the newest
   * one is without them. Parity is written when the metadata of its stripe are durable, so these
   * show what that item has.
   */
  private void dropGivenUp() {
    for (int within : List.copyOf(chains.keySet())) {
      SlotChain chain = chain(within);
      SlotChain.Entry last = chain.last();
      if (last.sequence() > complete) {
        continue;
      }
      boolean isThere = Arrays.equals(shard.metadata().key(place(within)), last.key());
      boolean isFree = last.kind() == JournalEntry.Kind.FREE;
      if (isFree && isThere) {
        takeBackLast(within);
      } else if (!isFree && !isThere) {
        giveUp(within);
      }
    }
  }

  /** Whether a sealed stripe lacks all parity: it gets parity of what is there at the end. */
  boolean isWithoutParity() {
    return shard.stripes().state(stripe) == StripeState.SEALED
        && Arrays.stream(foundParity).allMatch(found -> found < 0);
  }

  /** Whether an object was in a slot last, or was to be, by entries that were dropped. */
  boolean hasArrived(Key key) {
    return arrived.contains(key);
  }

  /** Whether the server's record of a slot's last entry fits no slot of another stripe. */
  boolean hasRecordUnfitFor(int within, int other) {
    byte[] record = records.get(within);
    return record != null && !shard.fits(Unpooled.wrappedBuffer(record), other);
  }

  /** The chains whose last write may be incomplete, by place within the stripe. */
  Map<Integer, SlotChain> incomplete() {
    Map<Integer, SlotChain> incomplete = new TreeMap<>(chains);
    incomplete.values().removeIf(chain -> chain.last().sequence() <= complete);
    return incomplete;
  }

  /** Whether the last write of a slot may be incomplete. */
  boolean isIncomplete(int within) {
    SlotChain chain = chains.get(within);
    return chain != null && chain.last().sequence() > complete;
  }

  /** Ignores the last write of a slot. */
  void takeBackLast(int within) {
    if (chain(within).takeBackLast()) {
      chains.remove(within);
    }
  }

  /** Ignores an abandoned write. */
  void giveUp(int within) {
    if (chain(within).giveUp()) {
      chains.remove(within);
    }
  }

  /** Adds the journals' entries to parity. */
  void encode(Runnable done) {
    if (shard.stripes().state(stripe) == StripeState.OPEN) {
      sealOpen(done);
    } else {
      addToParity(done);
    }
  }

  /** Reads the servers' records of the slots in question. */
  void readRecords(Runnable next) {
    Map<Integer, byte[]> keys = new TreeMap<>();
    chains.forEach((within, chain) -> keys.put(within, chain.last().key()));
    if (shard.stripes().state(stripe) == StripeState.OPEN) {
      // a slot's last entry outweighs metadata that lack the end
      ObjectSlot.in(shard, stripe, place -> true)
          .forEach(slot -> keys.putIfAbsent(slot.place().within(), slot.key().bytes()));
    }
    Countdown countdown =
        new Countdown(
            keys.size() + 1,
            () -> {
              records.forEach(this::dropRefused);
              next.run();
            });
    keys.forEach(
        (within, key) ->
            shard
                .items()
                .getRecord(
                    Key.of(key),
                    KeyHash.of(key),
                    item -> {
                      takeRecord(within, key, item);
                      countdown.oneLess();
                    }));
    countdown.oneLess();
  }

  /**
   * Drops updates that a journal had no memory for: neither the newest parity nor the record has
   * them. A completed one would have its record.
   */
  private void dropRefused(int within, byte[] record) {
    while (chains.containsKey(within)
        && last(within).kind() == JournalEntry.Kind.UPDATE
        && last(within).sequence() <= complete
        && RecordBytes.sequence(record) < last(within).sequence()) {
      takeBackLast(within);
    }
  }

  private void takeRecord(int within, byte[] key, @Nullable ByteBuf item) {
    if (item == null) {
      return;
    }
    StoredRecord record = shard.records().decode(key, item);
    if (record != null) {
      records.put(within, ByteBufUtil.getBytes(item));
    }
    item.release();
  }

  /**
   * Seals an open stripe with the content known from journals and records. An empty stripe is
   * freed, and gets no parity: the next restart could not tell from that parity that inserts into
   * the stripe were abandoned.
   */
  private void sealOpen(Runnable done) {
    for (ObjectSlot slot : ObjectSlot.in(shard, stripe, place -> true)) {
      byte[] content = openContent(slot.place().within(), slot.key().bytes());
      if (content == null) {
        logger.error("object {} is lost: neither its record nor a journal", slot.key());
        shard.free(slot.place(), slot.hash());
      } else {
        shard.pending().add(slot.place(), content, List.of());
      }
    }
    if (shard.freeIfEmpty(stripe)) {
      done.run();
    } else {
      folding.foldAlone(stripe, done);
    }
  }

  private byte @Nullable [] openContent(int within, byte[] key) {
    byte[] record = records.get(within);
    SlotChain chain = chains.get(within);
    boolean told = chain != null && Arrays.equals(chain.last().key(), key);
    return told && chain != null ? chain.content(record) : record;
  }

  /**
   * Adds to each parity item the entries that it lacks. Reads the items anew: all that a restart
   * may find would not fit into memory. An item in another state than before is of a server that an
   * interrupted migration has left, and counts as missing.
   */
  private void addToParity(Runnable done) {
    StripeParity parity = new StripeParity(shard.code().parityCount());
    parity.read(shard, stripe, () -> addTo(parity, done));
  }

  private void addTo(StripeParity parity, Runnable done) {
    byte[] @Nullable [] items = parity.items();
    for (int i = 0; i < items.length; i++) {
      byte[] bytes = parity.folded(i) == foundParity[i] ? items[i] : null;
      items[i] = bytes;
      if (bytes != null) {
        Xor.into(bytes, deltasAbove(parity.folded(i))[i]);
      }
    }
    noteMissing(items);
    folding.write(stripe, items, done);
  }

  private byte[][] deltasAbove(long sequence) {
    return shard.encode(
        stripe,
        taker ->
            chains.forEach((within, chain) -> taker.accept(chain.deltaAbove(sequence), within)));
  }

  /** Deletes the records of objects that are in no slot: of deleted ones, and of undone inserts. */
  void deleteRecords(Runnable done) {
    Set<Key> keys = new LinkedHashSet<>(undone);
    // a slot may have another object before the deletion of the one before has arrived
    incomplete().values().forEach(chain -> keys.addAll(chain.keys()));
    Countdown countdown = new Countdown(keys.size() + 1, done);
    for (Key key : keys) {
      long hash = KeyHash.of(key.bytes());
      // an object that moved to a slot of another class lives on there
      if (shard.placement().find(key, hash) == null) {
        shard.items().deleteRecord(key, hash, countdown::oneLess);
      } else {
        countdown.oneLess();
      }
    }
    countdown.oneLess();
  }

  /** Writes the records that differ from their last entry. */
  void writeRecords(Runnable done) {
    Map<Integer, SlotChain> incomplete = incomplete();
    Countdown countdown = new Countdown(incomplete.size() + 1, done);
    incomplete.forEach(
        (within, chain) -> {
          SlotChain.Entry last = chain.last();
          byte[] record = records.get(within);
          if (!Arrays.equals(shard.metadata().key(place(within)), last.key())) {
            countdown.oneLess();
          } else if (record != null && RecordBytes.sequence(record) >= last.sequence()) {
            leaveOld(last.key(), record, countdown::oneLess);
          } else {
            write(last.key(), RecordBytes.cut(chain.content(record)), countdown::oneLess);
          }
        });
    countdown.oneLess();
  }

  /**
   * Deletes an outdated copy of a record that is up to date: the process may have ended before it
   * had the answer after which it deletes the copy on the server that the object moves from.
   */
  private void leaveOld(byte[] key, byte[] record, Runnable completed) {
    long hash = KeyHash.of(key);
    byte[] bytes = RecordBytes.cut(record);
    if (bytes == null || shard.placement().oldDataServer(hash) == null) {
      completed.run();
      return;
    }
    ByteBuf item = Unpooled.wrappedBuffer(bytes);
    shard.items().moveRecord(Key.of(key), hash, item, stored -> completed.run());
  }

  /**
   * Writes a record. A record that journals do not determine is deleted, and decoded when it is
   * read.
   */
  private void write(byte[] key, byte @Nullable [] record, Runnable completed) {
    long hash = KeyHash.of(key);
    ServerLink server = shard.placement().dataServer(hash);
    if (record == null) {
      lacking.accept(server);
      shard.items().deleteRecord(Key.of(key), hash, completed);
      return;
    }
    ByteBuf bytes = Unpooled.wrappedBuffer(record);
    shard
        .items()
        .setRecord(
            Key.of(key),
            hash,
            bytes,
            stored -> {
              if (stored == Stored.NO_MEMORY) {
                lacking.accept(server);
              }
              completed.run();
            });
  }

  Place place(int within) {
    return new Place(stripe, Place.chunk(within), Place.slot(within));
  }
}
