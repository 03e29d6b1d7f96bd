package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.log.JournalWriter;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/**
 * The steps that writes, removals and moves of objects share. The caller has entered the stripe.
 * Belongs to the shard's event loop.
 */
public final class WriteSteps {
  private final Shard shard;
  private final WriteUpkeep upkeep;

  public WriteSteps(Shard shard, WriteUpkeep upkeep) {
    this.shard = shard;
    this.upkeep = upkeep;
  }

  int ring(Key key) {
    return shard.placement().ring(KeyHash.of(key.bytes()));
  }

  /** Whether too many rings are down to acknowledge anything. */
  public boolean isUnavailable() {
    return shard.placement().ringsDown() > shard.code().parityCount();
  }

  /**
   * The outcome of a write that its server has refused. With too many rings down the object may be
   * the old one, the refused one, or gone.
   */
  public Written refused() {
    return isUnavailable() ? Written.UNAVAILABLE : Written.NO_MEMORY;
  }

  /** Takes a free slot for a record, in the ring of its key. */
  public Place take(NewRecord record) {
    return shard.freeSlots().take(record.slotClass(), ring(record.key()));
  }

  /**
   * A version with the next sequence. The caller is in the stripe, so folding can tell by the
   * sequence which writes came before.
   */
  public Version version(NewRecord record, Place place) {
    long sequence = shard.sequences().next();
    return new Version(place, record.encode(sequence), sequence);
  }

  /** Whether a place is a slot as {@link #take} gives it to a record: of its class and ring. */
  public boolean suits(Place place, NewRecord record) {
    return shard.stripes().slotClass(place.stripe()) == record.slotClass()
        && shard.placement().isHome(place, KeyHash.of(record.key().bytes()));
  }

  /** Enters the place's stripe beside other writes, once no exclusive work is in it. */
  public void enter(Place place, Runnable body) {
    shard.gates().enterShared(place.stripe(), body);
  }

  /** Leaves the place's stripe without a change. */
  public void end(Place place, Changed done, Written written) {
    shard.gates().leave(place.stripe());
    done.accept(written, 0);
  }

  /** Journals that a free slot gets an object. */
  public void journalInsert(Key key, Version now, Consumer<JournalWriter.Appended> done) {
    Version nothing = new Version(now.place(), Xor.nothing(), 0);
    journal(Kind.INSERT, nothing, now, now.bytes(), key, givingUp(done));
  }

  /** Journals that a slot's object changes; the delta is the xor of both. */
  public void journalUpdate(
      Key key, Version old, Version now, byte[] delta, Consumer<JournalWriter.Appended> done) {
    journal(Kind.UPDATE, old, now, delta, key, givingUp(done));
  }

  /**
   * As {@link #journalUpdate}, with a copy of the entry on a server ahead of what the caller sends
   * there next. If a journal has no memory, the entries count all the same.
   *
   * @return whether it is journalled; otherwise nothing is
   */
  boolean journalUpdateAhead(
      ServerLink server,
      Key key,
      Version old,
      Version now,
      byte[] delta,
      Consumer<JournalWriter.Appended> done) {
    return shard
        .journalWriter()
        .appendAhead(server, entry(Kind.UPDATE, old, now, delta, key), done);
  }

  /**
   * Journals that an update is taken back, because its server has the old record. Without memory
   * for an entry, parity is folded at once. The delta is its own inverse.
   *
   * @param refused the slot's content according to the journals
   * @param done gets whether a server had no memory for the journal entry
   */
  public void journalBack(
      Key key, Version old, Version refused, byte[] delta, Consumer<Boolean> done) {
    Version back = new Version(old.place(), old.bytes(), shard.sequences().next());
    journal(
        Kind.UPDATE,
        refused,
        back,
        delta,
        key,
        appended -> {
          shard.pending().add(old.place(), delta, appended.items());
          done.accept(appended.memoryShort());
        });
  }

  /** Journals that a slot becomes free. Without memory for an entry, parity is folded at once. */
  void journalFree(Key key, Version old, Consumer<Boolean> done) {
    Version nothing = new Version(old.place(), Xor.nothing(), shard.sequences().next());
    journal(
        Kind.FREE,
        old,
        nothing,
        old.bytes(),
        key,
        appended -> {
          shard.pending().add(old.place(), old.bytes(), appended.items());
          done.accept(appended.memoryShort());
        });
  }

  /**
   * Frees the slot of a record that its server has refused: the server has dropped the previous
   * record too. The caller is still in the stripe. Otherwise the next to enter it would find a
   * record that is nowhere, and might take it for lost, with others that are decoded from its old
   * content.
   *
   * @param done gets whether a server had no memory for the journal entry either
   */
  public void freeRefused(Key key, Version refused, Consumer<Boolean> done) {
    if (isUnavailable()) {
      done.accept(false); // the new record is decoded, once there are enough servers
      return;
    }
    long hash = KeyHash.of(key.bytes());
    journalFree(
        key,
        refused,
        memoryShort -> {
          shard.free(refused.place(), hash);
          shard.recent().remove(key);
          shard.items().deleteRecord(key, hash, () -> done.accept(memoryShort));
        });
  }

  /** Leaves the stripe once a record is sent; deletes the object if it was refused. */
  public void endSent(
      Key key, Version now, JournalWriter.Appended appended, Stored stored, Changed done) {
    Place place = now.place();
    if (stored == Stored.NO_MEMORY) {
      freeRefused(
          key, now, memoryShort -> endRefused(place, memoryShort || appended.memoryShort(), done));
      return;
    }
    shard.gates().leave(place.stripe());
    upkeep.written(place);
    boolean isSafe = !isNowhere(appended, stored) && !isUnavailable();
    done.accept(isSafe ? Written.DONE : Written.UNAVAILABLE, now.cas());
  }

  /** Whether neither journals nor a server have got a record. */
  public static boolean isNowhere(JournalWriter.Appended appended, Stored stored) {
    return stored == Stored.LOST && appended.items().isEmpty();
  }

  /** Leaves the stripe of a record that was refused. */
  void endRefused(Place place, boolean memoryShort, Changed done) {
    shard.gates().leave(place.stripe());
    foldIf(memoryShort, place);
    upkeep.written(place);
    done.accept(refused(), 0);
  }

  public void foldIf(boolean memoryShort, Place place) {
    if (memoryShort) {
      upkeep.fold(place.stripe());
    }
  }

  public void sendRecord(Key key, byte[] record, Consumer<Stored> done) {
    shard.items().setRecord(key, KeyHash.of(key.bytes()), Unpooled.wrappedBuffer(record), done);
  }

  /** As {@link #sendRecord}, in the slot of another record, which is written back if possible. */
  public void replaceRecord(Key key, byte[] record, byte[] before, Consumer<Stored> done) {
    shard.items().replaceRecord(key, KeyHash.of(key.bytes()), record, before, done);
  }

  /** Releases the entries of a write that a journal has no memory for. */
  private Consumer<JournalWriter.Appended> givingUp(Consumer<JournalWriter.Appended> done) {
    return appended -> {
      if (appended.memoryShort()) {
        shard.journal().release(appended.items());
      }
      done.accept(appended);
    };
  }

  private void journal(
      Kind kind,
      Version old,
      Version now,
      byte[] delta,
      Key key,
      Consumer<JournalWriter.Appended> done) {
    shard.journalWriter().append(entry(kind, old, now, delta, key), done);
  }

  /**
   * An entry.
   *
   * @param delta the old bytes xor the new ones
   */
  private static JournalEntry entry(Kind kind, Version old, Version now, byte[] delta, Key key) {
    Place place = now.place();
    return new JournalEntry(
        kind,
        place.stripe(),
        place.chunk(),
        place.slot(),
        now.sequence(),
        old.sequence(),
        Unpooled.wrappedBuffer(delta),
        Unpooled.wrappedBuffer(key.bytes()));
  }
}
