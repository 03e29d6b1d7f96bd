package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.log.JournalItem;
import io.counterpart.cache.coded.log.PendingDeltas;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.Unpooled;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings parity up to date. It encodes a stripe's deltas, adds them to the parity items, and
 * releases the journal entries. The parity of an open stripe is all zeros, so folding also seals
 * it. Missing parity is encoded from all data of the stripe. Belongs to the shard's event loop.
 */
public final class Folding {
  private static final Logger logger = LoggerFactory.getLogger(Folding.class);

  private static final int STRIPES_AT_ONCE = 64;

  private final Shard shard;
  private final CodedStatistics statistics;
  private final ParityItems items;

  public Folding(Shard shard, CodedStatistics statistics) {
    this.shard = shard;
    this.statistics = statistics;
    this.items = new ParityItems(shard);
  }

  /**
   * Folds a stripe's pending deltas, once it has the stripe alone; frees a stripe without objects
   * instead.
   */
  public void fold(int stripe, Runnable done) {
    // before entering: then most need not wait in the stripe
    shard.metadata().whenDurable(stripe, () -> foldDurable(stripe, done));
  }

  private void foldDurable(int stripe, Runnable done) {
    shard
        .gates()
        .enterAlone(
            stripe,
            done,
            end -> {
              if (shard.freeIfEmpty(stripe)) {
                end.run();
              } else {
                foldAlone(stripe, end);
              }
            });
  }

  /** Folds the pending deltas of all stripes. */
  public void foldAll(Runnable done) {
    foldEach(shard.pending().stripes(), done);
  }

  /** Folds the pending deltas of stripes, a few at a time: each has its parity in memory. */
  void foldEach(Collection<Integer> stripes, Runnable done) {
    BoundedForEach.run(stripes, STRIPES_AT_ONCE, this::fold, done);
  }

  /** Folds a stripe's pending deltas; the caller is alone in the stripe. */
  public void foldAlone(int stripe, Runnable done) {
    foldAlone(stripe, statistics.foldedParity(), done);
  }

  /**
   * As {@link #foldAlone(int, Runnable)}.
   *
   * @param tally counts the parity items
   */
  public void foldAlone(int stripe, ParityTally tally, Runnable done) {
    StripeState state = shard.stripes().state(stripe);
    PendingDeltas.OfStripe pending = shard.pending().of(stripe);
    if (state == StripeState.FREE || pending == null) {
      done.run();
      return;
    }
    if (state == StripeState.OPEN) {
      write(stripe, shard.encode(stripe, pending::forEach), tally, done);
    } else {
      new ParityAddition(shard, this, stripe, pending::forEach, tally).begin(done);
    }
  }

  /** Encodes all parity from data; the caller is alone in the stripe. */
  void encodeAlone(int stripe, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, statistics.upkeep()),
        read -> {
          if (read.isWhole()) {
            write(stripe, shard.encode(stripe, read.source()), done);
          } else {
            dropLostAlone(stripe, done); // otherwise journals would hold its entries for good
          }
        });
  }

  /**
   * Writes parity items.
   *
   * @param parity null where an item is not known: the old one is deleted until it is encoded anew
   */
  public void write(int stripe, byte[] @Nullable [] parity, Runnable done) {
    write(stripe, parity, statistics.foldedParity(), done);
  }

  /** As {@link #write(int, byte[][], Runnable)}, with another tally. */
  void write(int stripe, byte[] @Nullable [] parity, ParityTally tally, Runnable done) {
    long folded = shard.sequences().last();
    // a restart trusts parity to be complete: no loss of power may undo it then
    shard
        .metadata()
        .whenDurable(
            stripe,
            () ->
                items.write(
                    stripe, parity, folded, tally, lacking -> written(stripe, lacking, done)));
  }

  /** As {@link ParityItems#writeSome}. */
  public void writeSome(int stripe, byte[][] parity, int[] numbers, long folded, Runnable done) {
    items.writeSome(stripe, parity, numbers, folded, statistics.foldedParity(), done);
  }

  private void written(int stripe, Set<ServerLink> lacking, Runnable done) {
    boolean open = shard.stripes().state(stripe) == StripeState.OPEN;
    if (open && !lacking.isEmpty()) {
      done.run(); // journals still hold everything
      return;
    }
    if (open) {
      shard.metadata().seal(stripe);
      shard.sparse().note(stripe);
    }
    List<JournalItem> held = shard.pending().fold(stripe);
    // until the seal is durable, only journals are known to count
    shard
        .metadata()
        .whenDurable(
            stripe,
            () -> {
              letGo(stripe, held, lacking);
              done.run();
            });
  }

  /**
   * Releases the journal items after a fold, or keeps them until servers in use that lack an item
   * have it.
   */
  private void letGo(int stripe, List<JournalItem> held, Set<ServerLink> lacking) {
    if (lacking.isEmpty()) {
      shard.journal().release(held);
    } else {
      shard.missingParity().add(stripe, held, lacking);
    }
    shard.pending().letGo(stripe);
  }

  /**
   * Drops the objects of a stripe that nothing can decode, and encodes its parity anew. Does
   * nothing while a server is down, because that may have them. The caller is alone in the stripe.
   */
  public void dropLostAlone(int stripe, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, statistics.upkeep()),
        read -> {
          if (shard.placement().ringsAway() > 0 || read.mayHaveMissed()) {
            done.run(); // missing objects may be there
            return;
          }
          List<ObjectSlot> lost = ObjectSlot.in(shard, stripe, place -> true);
          lost.removeIf(slot -> isRecord(slot.key().bytes(), read.contentOf(slot.place())));
          lost.forEach(slot -> read.forget(slot.place()));
          byte[][] parity = shard.encode(stripe, read.source());
          // before their slots are free: nothing would tell a restart that parity still has them,
          // while those that only the metadata have are found lost once more
          write(stripe, parity, () -> freeLost(stripe, lost, done));
        });
  }

  /**
   * Frees the slots of lost objects. Until that is durable, their keys are locked, as in an
   * eviction: a new object of such a key, which only journals know yet, must not meet its old place
   * in the metadata after a loss of power. Who has a lock already has it for an operation that
   * waits for the stripe.
   */
  private void freeLost(int stripe, List<ObjectSlot> lost, Runnable done) {
    List<Key> locked = lost.stream().map(ObjectSlot::key).filter(shard.locks()::isIdle).toList();
    locked.forEach(key -> shard.locks().lock(key, () -> {}));
    for (ObjectSlot slot : lost) {
      statistics.lostObjects().increment();
      shard.free(slot.place(), slot.hash());
      // its server may have a record of another slot class, which must not be found later
      shard.items().deleteRecord(slot.key(), slot.hash(), () -> {});
    }
    if (!lost.isEmpty()) {
      logger.error(
          "{} objects of stripe {} are lost: nothing can decode them", lost.size(), stripe);
    }
    shard
        .metadata()
        .whenDurable(
            stripe,
            () -> {
              done.run();
              locked.forEach(shard.locks()::unlock);
            });
  }

  /** As {@link #dropLostAlone}, but first waits for the stripe alone. */
  public void dropLost(int stripe, Runnable done) {
    ifSealedAlone(stripe, this::dropLostAlone, done);
  }

  /** Encodes all parity from data, once it has the stripe alone. */
  public void encode(int stripe, Runnable done) {
    ifSealedAlone(stripe, this::encodeAlone, done);
  }

  private void ifSealedAlone(int stripe, BiConsumer<Integer, Runnable> body, Runnable done) {
    shard
        .gates()
        .enterAlone(
            stripe,
            done,
            end -> {
              if (shard.stripes().state(stripe) == StripeState.SEALED) {
                body.accept(stripe, end);
              } else {
                end.run();
              }
            });
  }

  private boolean isRecord(byte[] key, byte @Nullable [] content) {
    return content != null && shard.records().decode(key, Unpooled.wrappedBuffer(content)) != null;
  }
}
