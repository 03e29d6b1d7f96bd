package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.StripeParity;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.SlotChain;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides where objects are that the metadata have in two places: a crash cut off their moves to
 * slots of other classes, or other stripes. Belongs to the shard's event loop.
 */
final class MoveReplay {
  private final Shard shard;
  private final Map<Integer, StripeReplay> stripes;
  private final Collection<Key> moving;
  private final Predicate<ServerLink> isLacking;

  /** The record of an object with two places on its server. */
  private record MovingRecord(int slotClass, long sequence) {}

  /** That of each moving key, if there is one. */
  private final Map<Key, MovingRecord> records = new HashMap<>();

  /** Frees places once parity is written: until then a restart finds why the others count. */
  private final List<Runnable> leftLast = new ArrayList<>();

  /** Sequence up to which parity is complete, for sealed stripes with moving keys. */
  private final Map<Integer, Long> folded = new HashMap<>();

  /**
   * @param stripes the replay's, by number; filled before {@link #read}
   * @param moving keys with two places in the metadata
   * @param isLacking whether a server has joined without all of its items
   */
  MoveReplay(
      Shard shard,
      Map<Integer, StripeReplay> stripes,
      Collection<Key> moving,
      Predicate<ServerLink> isLacking) {
    this.shard = shard;
    this.stripes = stripes;
    this.moving = moving;
    this.isLacking = isLacking;
  }

  /** Reads the moving objects' records, and the parity of their stripes. */
  void read(Runnable next) {
    Countdown countdown = new Countdown(moving.size() + 1, () -> readParity(next));
    for (Key key : moving) {
      shard
          .items()
          .getRecord(
              key,
              KeyHash.of(key.bytes()),
              item -> {
                if (item != null && shard.records().decode(key.bytes(), item) != null) {
                  records.put(
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
  private void readParity(Runnable next) {
    Set<Integer> sealed = new TreeSet<>();
    for (Key key : moving) {
      long hash = KeyHash.of(key.bytes());
      Place one = shard.placement().find(key, hash);
      Place other = one == null ? null : shard.placement().find(key, hash, one);
      Stream.of(one, other)
          .filter(place -> place != null && isSealed(place))
          .forEach(place -> sealed.add(place.stripe()));
    }
    BoundedForEach.run(sealed, Replay.STRIPES_AT_ONCE, this::readFolded, next);
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

  /** Decides on all of them. */
  void settle() {
    moving.forEach(this::settle);
  }

  /** Frees what waited for parity, which is written now. */
  void end() {
    leftLast.forEach(Runnable::run);
  }

  /** Decides which place counts for an object with two. */
  private void settle(Key key) {
    long hash = KeyHash.of(key.bytes());
    Place one = shard.placement().find(key, hash);
    Place other = one == null ? null : shard.placement().find(key, hash, one);
    if (one == null || other == null || isFreed(one) && isFreed(other)) {
      return; // it was last in neither: the metadata lack what came after a move
    }
    MovingRecord record = records.get(key);
    Place certain = certainlyLeft(one, other, key, record);
    if (certain != null) {
      shard.free(certain, hash);
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

  /** The one of two places that entries show to have been left, whatever parity there is. */
  private @Nullable Place certainlyLeft(
      Place one, Place other, Key key, @Nullable MovingRecord record) {
    List<BiPredicate<Place, Place>> shown =
        List.of(
            (left, kept) -> hasLeft(left, key),
            (left, kept) -> record != null && hasLeftFor(left, record),
            // whatever the record is: a restart that is cut off after this must decide alike
            this::isMoved);
    for (BiPredicate<Place, Place> isLeft : shown) {
      if (isLeft.test(one, other)) {
        return one;
      }
      if (isLeft.test(other, one)) {
        return other;
      }
    }
    return null;
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
        .allMatch(server -> server.isUsable() && !isLacking.test(server));
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
      return last(one).sequence() < last(other).sequence();
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
        && folded.getOrDefault(to.stripe(), 0L) >= last(from).sequence();
  }

  private boolean isSealed(Place place) {
    return shard.stripes().state(place.stripe()) == StripeState.SEALED;
  }

  private boolean isInserted(Place place) {
    return isIncomplete(place) && replayOf(place).isInserted(place.within());
  }

  private boolean isFreed(Place place) {
    return isIncomplete(place) && last(place).kind() == JournalEntry.Kind.FREE;
  }

  /** Whether an object was freed in a place, and has another record by now. */
  private boolean hasLeftFor(Place place, MovingRecord now) {
    return isFreed(place) && last(place).previous() != now.sequence();
  }

  /** Whether another object has the old place, or had it last. */
  private boolean hasLeft(Place place, Key key) {
    if (!isIncomplete(place)) {
      return false;
    }
    boolean isItsFree = isFreed(place) && Arrays.equals(last(place).key(), key.bytes());
    return !isItsFree && replayOf(place).hasLeft(place.within(), key.bytes());
  }

  private SlotChain.Entry last(Place place) {
    return replayOf(place).last(place.within());
  }

  private boolean isIncomplete(Place place) {
    StripeReplay replay = stripes.get(place.stripe());
    return replay != null && replay.isIncomplete(place.within());
  }

  private StripeReplay replayOf(Place place) {
    return Objects.requireNonNull(stripes.get(place.stripe()));
  }
}
