package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.log.JournalReading;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.parity.StripeParity;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.SlotChain;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Finishes the writes that a crash interrupted, before the first request. It completes every write
 * that has a journal entry, except writes that were abandoned and retried elsewhere. A second crash
 * does no harm, because the journals are dropped last. Belongs to the shard's event loop.
 */
public final class Replay {
  /** Stripes that are read or written at once; there may be 100,000 with entries. */
  private static final int STRIPES_AT_ONCE = 128;

  private final Shard shard;
  private final Folding folding;
  private final Collection<ServerLink> servers;
  private final Collection<Key> moving;
  private final Outcome outcome;

  /** The servers that are asked. Any loss of one since interrupts the replay. */
  private final List<ServerLink> asked;

  private final long losses;
  private final JournalNumbers numbers;

  private final JournalReading reading;
  private final Map<Integer, StripeReplay> stripes = new LinkedHashMap<>();

  /** The record of an object with two places on its server. */
  private record MovingRecord(int slotClass, long sequence) {}

  /** That of each moving key, if there is one. */
  private final Map<Key, MovingRecord> movingRecords = new HashMap<>();

  /** Frees places once parity is written: until then a restart finds why the others count. */
  private final List<Runnable> leftLast = new ArrayList<>();

  /** Sequence up to which parity is complete, for sealed stripes with moving keys. */
  private final Map<Integer, Long> folded = new HashMap<>();

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
    this.moving = moving;
    this.shard = services.shard();
    this.folding = services.folding();
    this.servers = servers;
    this.outcome = outcome;
    this.asked = servers.stream().filter(ServerLink::isUsable).toList();
    this.losses = losses();
    this.numbers = shard.metadata().log().journalNumbers();
    this.reading = new JournalReading(shard.number(), numbers);
  }

  public void begin() {
    reading.read(servers, this::replay);
  }

  private void replay() {
    if (losses() != losses) {
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
        () -> forEach(StripeReplay::readRecords, () -> readMoves(this::decide)));
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
    if (losses() != losses) {
      outcome.interrupted();
      return;
    }
    moving.forEach(this::settleMove);
    complete();
  }

  private long losses() {
    return asked.stream().mapToLong(ServerLink::losses).sum();
  }

  private void readMoves(Runnable next) {
    Countdown countdown = new Countdown(moving.size() + 1, () -> readMovesParity(next));
    for (Key key : moving) {
      shard
          .items()
          .getRecord(
              key,
              KeyHash.of(key.bytes()),
              item -> {
                if (item != null && shard.records().decode(key.bytes(), item) != null) {
                  movingRecords.put(
                      key,
                      new MovingRecord(
                          SlotClasses.of(RecordFormat.lengthBytes(item)),
                          RecordFormat.sequence(item)));
                }
                if (item != null) {
                  item.release();
                }
                countdown.oneLess();
              });
    }
    countdown.oneLess();
  }

  /** Reads parity for moves that records do not decide. */
  private void readMovesParity(Runnable next) {
    Set<Integer> sealed = new TreeSet<>();
    for (Key key : moving) {
      long hash = KeyHash.of(key.bytes());
      Place one = shard.placement().find(key, hash);
      Place other = one == null ? null : shard.placement().find(key, hash, one);
      Stream.of(one, other)
          .filter(place -> place != null && isSealed(place))
          .forEach(place -> sealed.add(place.stripe()));
    }
    BoundedForEach.run(sealed, STRIPES_AT_ONCE, this::readFolded, next);
  }

  private void readFolded(int stripe, Runnable done) {
    StripeParity parity = new StripeParity(shard.code().parityCount());
    parity.read(
        shard,
        stripe,
        () -> {
          folded.put(stripe, parity.newest());
          done.run();
        });
  }

  /** Decides which place counts for an object that was moving to a slot of another class. */
  private void settleMove(Key key) {
    long hash = KeyHash.of(key.bytes());
    Place one = shard.placement().find(key, hash);
    Place other = one == null ? null : shard.placement().find(key, hash, one);
    if (one == null || other == null || isFreed(one) && isFreed(other)) {
      return; // it was last in neither: the metadata lack what came after a move
    }
    if (hasLeft(one, key) || hasLeft(other, key)) {
      shard.free(hasLeft(one, key) ? one : other, hash);
      return;
    }
    MovingRecord record = movingRecords.get(key);
    if (record != null && (hasLeftFor(one, record) || hasLeftFor(other, record))) {
      shard.free(hasLeftFor(one, record) ? one : other, hash);
      return;
    }
    if (isMoved(one, other) || isMoved(other, one)) {
      // whatever the record is: a restart that is cut off after this must decide alike
      shard.free(isMoved(one, other) ? one : other, hash);
      return;
    }
    if (record == null && isWhole(hash) && (hasGone(one, other, key) || hasGone(other, one, key))) {
      shard.free(one, hash);
      shard.free(other, hash);
      return;
    }
    int classOfOne = shard.stripes().slotClass(one.stripe());
    boolean oneCounts =
        record == null || classOfOne == shard.stripes().slotClass(other.stripe())
            ? countsWithoutRecord(one, other)
            : record.slotClass() == classOfOne;
    Place kept = oneCounts ? one : other;
    Place left = oneCounts ? other : one;
    if (isInserted(left)) {
      replayOf(left).giveUp(left.within());
    }
    if (isFreed(kept)) {
      replayOf(kept).takeBackLast(kept.within());
      if (isSealed(left)) {
        leftLast.add(() -> freeIfThere(left, key, hash));
        return;
      }
    }
    shard.free(left, hash);
  }

  private void freeIfThere(Place place, Key key, long hash) {
    if (Arrays.equals(shard.metadata().key(place), key.bytes())) {
      shard.free(place, hash);
    }
  }

  /** Whether both entries of a move are there. */
  private boolean isMoved(Place from, Place to) {
    return isFreed(from) && isInserted(to);
  }

  /**
   * Whether an object without a record left one place, while the other's stripe lacks all parity,
   * and so cannot tell. If its server has lost nothing, the object was deleted; unless entries have
   * it there last: then its server may have refused the record.
   */
  private boolean hasGone(Place left, Place unknown, Key key) {
    StripeReplay replay = stripes.get(unknown.stripe());
    boolean isThere = replay != null && replay.hasArrived(key);
    return isFreed(left) && isSealed(unknown) && !hasParity(unknown) && !isThere;
  }

  /** Whether the servers that may have a key's record have all that they got. */
  private boolean isWhole(long hash) {
    return Stream.of(shard.placement().dataServer(hash), shard.placement().oldDataServer(hash))
        .filter(Objects::nonNull)
        .allMatch(server -> server.isUsable() && !outcome.isLacking(server));
  }

  /**
   * Whether a move counts without a record and with one entry at most: mostly the object is in its
   * old place.
   */
  private boolean countsWithoutRecord(Place one, Place other) {
    boolean isOneClass =
        shard.stripes().slotClass(one.stripe()) == shard.stripes().slotClass(other.stripe());
    if (isOneClass && isFreed(one) != isFreed(other)) {
      // the record is the same, so that the place it was to get is as good without its entry
      return isFreed(other);
    }
    if (isFolded(one, other) || isFolded(other, one)) {
      return isFolded(one, other);
    }
    if (isInserted(one) && isInserted(other)) {
      return lastSequence(one) < lastSequence(other);
    }
    if (isInserted(one) || isFreed(other)) {
      return false;
    }
    if (isInserted(other) || isFreed(one)) {
      return true;
    }
    // entries of a stripe without parity were dropped: an object may leave such a place without
    // one, since the stripe gets parity of what is there at the end
    return hasParity(one) || !hasParity(other);
  }

  /** Whether parity on some server shows what is in the place, or was. */
  private boolean hasParity(Place place) {
    return folded.getOrDefault(place.stripe(), 0L) > 0;
  }

  /**
   * Whether parity already includes the object at its new place, so that no journal needs to have
   * it there. Parity is written only when the metadata of its stripe are durable. So an object that
   * they have in a place was there at the last write of parity; if it left another place before
   * that, it came from there.
   */
  private boolean isFolded(Place to, Place from) {
    return isFreed(from)
        && !isFreed(to)
        && folded.getOrDefault(to.stripe(), 0L) >= lastSequence(from);
  }

  private boolean isSealed(Place place) {
    return shard.stripes().state(place.stripe()) == StripeState.SEALED;
  }

  private boolean isInserted(Place place) {
    return isIncomplete(place) && replayOf(place).isInserted(place.within());
  }

  private boolean isFreed(Place place) {
    return isIncomplete(place)
        && replayOf(place).last(place.within()).kind() == JournalEntry.Kind.FREE;
  }

  /** Whether an object was freed in a place, and has another record by now. */
  private boolean hasLeftFor(Place place, MovingRecord now) {
    return isFreed(place) && replayOf(place).last(place.within()).previous() != now.sequence();
  }

  /** Whether another object has the old place, or had it last. */
  private boolean hasLeft(Place place, Key key) {
    if (!isIncomplete(place)) {
      return false;
    }
    SlotChain.Entry last = replayOf(place).last(place.within());
    boolean isItsFree =
        last.kind() == JournalEntry.Kind.FREE && Arrays.equals(last.key(), key.bytes());
    return !isItsFree && replayOf(place).hasLeft(place.within(), key.bytes());
  }

  private long lastSequence(Place place) {
    return replayOf(place).last(place.within()).sequence();
  }

  private boolean isIncomplete(Place place) {
    StripeReplay replay = stripes.get(place.stripe());
    return replay != null && replay.isIncomplete(place.within());
  }

  private StripeReplay replayOf(Place place) {
    return Objects.requireNonNull(stripes.get(place.stripe()));
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
    leftLast.forEach(Runnable::run);
    shard.metadata().whenDurable(this::endDurable);
  }

  private void endDurable() {
    shard.journal().keep(numbers.first());
    Runnable drop = dropKept(shard, numbers, servers);
    if (shard.pending().stripes().isEmpty() && shard.missingParity().isEmpty()) {
      drop.run();
    } else {
      shard.missingParity().onceEmpty(drop);
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
            .whenDurable(
                () ->
                    JournalReading.drop(
                        shard.number(), numbers, servers, shard.journal()::keepNone));
  }
}
