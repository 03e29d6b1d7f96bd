package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.log.JournalReading;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.LossWatch;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.SlotChain;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Finishes the writes that a crash interrupted, before the first request. It completes every write
 * that has a journal entry, except writes that were abandoned and retried elsewhere. A second crash
 * does no harm, because the journals are dropped last. Belongs to the shard's event loop.
 */
public final class Replay {
  /** Stripes that are read or written at once; there may be 100,000 with entries. */
  static final int STRIPES_AT_ONCE = 128;

  private final Shard shard;
  private final Folding folding;
  private final Collection<ServerLink> servers;
  private final Outcome outcome;

  /** Of the servers that are asked: any loss of one interrupts the replay. */
  private final LossWatch asked;

  private final JournalNumbers numbers;

  private final JournalReading reading;
  private final Map<Integer, StripeReplay> stripes = new LinkedHashMap<>();

  private final MoveReplay moves;

  /** Takes the outcome. */
  public interface Outcome {
    /** All writes are completed. */
    void done();

    /** A server was lost before anything was changed: the replay has to begin anew. */
    void interrupted();

    /** A server lacks a record that the replay could not write. */
    void lacking(ServerLink server);

    /** Whether a server has joined without all of its items. */
    boolean isLacking(ServerLink server);
  }

  /**
   * @param moving keys with two places in the metadata
   */
  public Replay(
      ShardServices services,
      Collection<ServerLink> servers,
      Collection<Key> moving,
      Outcome outcome) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.servers = servers;
    this.outcome = outcome;
    this.asked = new LossWatch(servers.stream().filter(ServerLink::isUsable).toList());
    this.numbers = shard.metadata().log().journalNumbers();
    this.reading = new JournalReading(numbers);
    this.moves = new MoveReplay(shard, stripes, moving, outcome::isLacking);
  }

  public void begin() {
    reading.read(servers, this::replay);
  }

  private void replay() {
    if (asked.hasLostAny()) {
      outcome.interrupted();
      return;
    }
    // a crash meanwhile leaves those to be opened that are above the last one opened
    reading.opened().entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(opened -> openForgotten(opened.getKey(), opened.getValue()));
    // entries of a stripe that is no more are of an earlier life
    reading
        .stripes()
        .keySet()
        .removeIf(stripe -> shard.stripes().state(stripe) == StripeState.FREE);
    reading.stripes().forEach((stripe, chains) -> stripes.put(stripe, replay(stripe, chains)));
    addOpenStripes();
    forEach(
        StripeReplay::readParity,
        () -> forEach(StripeReplay::readRecords, () -> moves.read(this::decide)));
  }

  /**
   * Opens a stripe whose opening a loss of power has taken out of the metadata. Entries of a freed
   * stripe have lower sequences than the last opening in the metadata.
   */
  private void openForgotten(int stripe, JournalReading.Opened opened) {
    boolean isForgotten = opened.sequence() > shard.metadata().lastOpenedBefore();
    if (isForgotten && shard.stripes().state(stripe) == StripeState.FREE) {
      shard.metadata().openStripe(stripe, opened.slotClass(), opened.layout(), opened.sequence());
      shard.freeSlots().giveAll(stripe);
    }
  }

  /**
   * Decides on the places, unless a server was lost: entries that it did not return are not
   * missing.
   */
  private void decide() {
    if (asked.hasLostAny()) {
      outcome.interrupted();
      return;
    }
    moves.settle();
    complete();
  }

  private void complete() {
    noteFreed();
    noteInserted();
    // parity comes last: what it has, the next restart takes for complete, records and all
    forEach(
        StripeReplay::deleteRecords,
        () -> forEach(StripeReplay::writeRecords, () -> forEach(StripeReplay::encode, this::end)));
  }

  private void noteFreed() {
    forEachIncomplete(
        (replay, within) -> {
          Place place = replay.place(within);
          byte[] assigned = shard.metadata().key(place);
          if (assigned != null && replay.hasLeft(within, assigned)) {
            shard.free(place, KeyHash.of(assigned));
          }
        });
  }

  /**
   * Assigns inserted objects, the newest first, so that it wins over abandoned inserts of its key.
   */
  private void noteInserted() {
    TreeMap<Long, Runnable> inserted = new TreeMap<>(Comparator.reverseOrder());
    forEachIncomplete(
        (replay, within) -> {
          if (replay.isInserted(within)) {
            inserted.put(replay.last(within).sequence(), () -> noteInserted(replay, within));
          }
        });
    inserted.values().forEach(Runnable::run);
  }

  private void noteInserted(StripeReplay replay, int within) {
    Place place = replay.place(within);
    byte[] key = replay.last(within).key();
    long hash = KeyHash.of(key);
    byte[] assigned = shard.metadata().key(place);
    boolean here = Arrays.equals(assigned, key);
    Place other = shard.placement().find(Key.of(key), hash, place);
    if (other != null && (assigned == null || here) && hasLeftUnseen(other, replay, within)) {
      shard.free(other, hash);
      other = shard.placement().find(Key.of(key), hash, place);
    }
    if (other != null || (assigned != null && !here)) {
      replay.giveUp(within);
      if (here) {
        shard.free(place, hash);
      }
    } else if (!here) {
      shard.assign(place, key, hash);
    }
  }

  /** Whether an object left a place whose freeing was dropped: its stripe lacks all parity. */
  private boolean hasLeftUnseen(Place place, StripeReplay inserted, int within) {
    StripeReplay replay = stripes.get(place.stripe());
    return replay != null
        && replay.isWithoutParity()
        && inserted.hasRecordUnfitFor(within, place.stripe());
  }

  private void forEachIncomplete(BiConsumer<StripeReplay, Integer> taker) {
    for (StripeReplay replay : stripes.values()) {
      replay.incomplete().keySet().forEach(within -> taker.accept(replay, within));
    }
  }

  /** Adds the open stripes, which are sealed even if no journal has entries of them. */
  private void addOpenStripes() {
    for (int stripe = 0; stripe < shard.stripes().end(); stripe++) {
      boolean open = shard.stripes().state(stripe) == StripeState.OPEN;
      if (open && !reading.stripes().containsKey(stripe)) {
        stripes.put(stripe, replay(stripe, new TreeMap<>()));
      }
    }
  }

  private StripeReplay replay(int stripe, Map<Integer, SlotChain> chains) {
    return new StripeReplay(shard, folding, stripe, chains, outcome::lacking);
  }

  private void forEach(BiConsumer<StripeReplay, Runnable> step, Runnable next) {
    BoundedForEach.run(
        stripes.keySet(),
        STRIPES_AT_ONCE,
        (stripe, done) -> step.accept(Objects.requireNonNull(stripes.get(stripe)), done),
        next);
  }

  private void end() {
    moves.end();
    shard.metadata().whenDurable(this::endDurable);
  }

  private void endDurable() {
    shard.journal().keep(numbers.first());
    Runnable drop = dropKept(shard, numbers, servers);
    if (shard.pending().stripes().isEmpty() && shard.missingParity().isEmpty()) {
      drop.run();
    } else {
      shard.missingParity().onceReplayIsWhole(drop);
    }
    outcome.done();
  }

  /**
   * Drops the journals beside clients' requests, once no restart needs them to find stripes that
   * lack parity. Until the last item is gone, the next start asks for all of them.
   */
  private static Runnable dropKept(
      Shard shard, JournalNumbers numbers, Collection<ServerLink> servers) {
    return () ->
        shard
            .metadata()
            .whenDurable(() -> JournalReading.drop(numbers, servers, shard.journal()::keepNone));
  }
}
