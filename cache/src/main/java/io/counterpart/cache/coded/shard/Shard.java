package io.counterpart.cache.coded.shard;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.coded.log.Journal;
import io.counterpart.cache.coded.log.JournalItem;
import io.counterpart.cache.coded.log.JournalWriter;
import io.counterpart.cache.coded.log.LogServers;
import io.counterpart.cache.coded.log.MissingParity;
import io.counterpart.cache.coded.log.PendingDeltas;
import io.counterpart.cache.coded.server.Items;
import io.counterpart.cache.coded.server.Placement;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.stripe.Coder;
import io.counterpart.cache.coded.stripe.KeyLocks;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.ReadSlots;
import io.counterpart.cache.coded.stripe.RecentWrites;
import io.counterpart.cache.coded.stripe.Sequences;
import io.counterpart.cache.coded.stripe.SparseStripes;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.ErasureCode;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The state that all parts of a shard share. Belongs to its event loop.
 *
 * @param recent objects: a change needs the old bytes for parity. Clients' reads are not served
 *     from here
 * @param recentParity items of stripes, all of which servers have taken: the next fold reads none
 */
public record Shard(
    CodeShape code,
    Metadata metadata,
    ObjectIndex objects,
    Placement placement,
    Items items,
    FreeSlots freeSlots,
    ReadSlots readSlots,
    SparseStripes sparse,
    PendingDeltas pending,
    MissingParity missingParity,
    RecentWrites<Key, Version> recent,
    RecentWrites<Integer, byte[][]> recentParity,
    Journal journal,
    JournalWriter journalWriter,
    Gates<Integer> gates,
    KeyLocks locks,
    Sequences sequences,
    Coder coder,
    RecordFormat records,
    GuardedLoop loop) {
  /** Most bytes of each of the caches of records and parity; an eighth of a small heap. */
  private static final long MOST_RECENT_BYTES = 64 << 20;

  private static final int RECENT_SHARE = 8;

  /** A shard with the state of its metadata; its object index is still empty. */
  public static Shard of(
      CodedSettings settings,
      ErasureCode erasureCode,
      Metadata metadata,
      ServerMap map,
      ServerTable servers,
      GuardedLoop loop) {
    ObjectIndex index = new ObjectIndex();
    long recentBytes =
        Math.min(MOST_RECENT_BYTES, Runtime.getRuntime().maxMemory() / RECENT_SHARE)
            / settings.shards();
    int k = settings.code().k();
    int parity = settings.code().parityCount();
    int epoch = metadata.log().epoch();
    Sequences sequences = Sequences.ofEpoch(epoch, () -> loop.end(usedUp(epoch)));
    Placement placement = new Placement(parity, metadata, index, map, servers);
    Journal journal = new Journal(metadata);
    int copies = CodedSettings.logCopies(settings.code());
    LogServers logServers = new LogServers(placement, servers, copies);
    return new Shard(
        settings.code(),
        metadata,
        index,
        placement,
        new Items(placement),
        new FreeSlots(placement, k, metadata, sequences),
        new ReadSlots(settings.eviction() != null),
        new SparseStripes(metadata.log().stripes(), k),
        new PendingDeltas(),
        new MissingParity(copies),
        new RecentWrites<>(recentBytes, version -> version.bytes().length, servers::losses),
        new RecentWrites<>(recentBytes, Shard::bytes, servers::losses),
        journal,
        new JournalWriter(journal, metadata, logServers, copies, loop),
        new Gates<>(),
        new KeyLocks(),
        sequences,
        new Coder(erasureCode),
        new RecordFormat(),
        loop);
  }

  private static long bytes(byte[][] items) {
    return (long) items.length * items[0].length; // all have one length
  }

  private static IOException usedUp(int epoch) {
    return new IOException(
        "epoch %d has used up its sequences: the next start has a new epoch".formatted(epoch));
  }

  public StripeIndex stripes() {
    return metadata.log().stripes();
  }

  /** Size of a stripe's data in bytes; 0 if it is free. */
  long dataBytes(int stripe) {
    return stripes().state(stripe) == StripeState.FREE
        ? 0
        : (long) code.k() * slotsPerChunk(stripe) * slotBytes(stripe);
  }

  /** Size of a stripe's slots in bytes. */
  public int slotBytes(int stripe) {
    return SlotClasses.slotBytes(stripes().slotClass(stripe));
  }

  /** Number of slots of each of a stripe's chunks. */
  public int slotsPerChunk(int stripe) {
    return SlotClasses.slotsPerChunk(stripes().slotClass(stripe));
  }

  /** Encodes the parity of a stripe from the content of its slots. */
  public byte[][] encode(int stripe, Coder.SlotSource content) {
    return coder.encode(slotBytes(stripe), slotsPerChunk(stripe), content);
  }

  /**
   * Whether a record needs the stripe's slot class.
   *
   * @param record a verified record; zeros may follow it
   */
  public boolean fits(ByteBuf record, int stripe) {
    return SlotClasses.of(RecordFormat.lengthBytes(record)) == stripes().slotClass(stripe);
  }

  /**
   * Whether a slot has a key's object. An object may be dropped because too many servers were lost,
   * so a change that has waited for the stripe checks it again.
   */
  public boolean hasObject(Place place, Key key) {
    return stripes().state(place.stripe()) != StripeState.FREE
        && place.slot() < slotsPerChunk(place.stripe()) // its number may have been reused
        && Arrays.equals(metadata.key(place), key.bytes());
  }

  /** Assigns a slot to an object. */
  public void assign(Place place, byte[] key, long keyHash) {
    metadata.assign(place, key);
    objects.add(keyHash, place.stripe(), place.slot());
    freeSlots.assigned(place);
  }

  /** Frees the slot of an object. */
  public void free(Place place, long keyHash) {
    metadata.free(place);
    objects.remove(keyHash, place.stripe(), place.slot());
    freeSlots.give(place);
    if (!freeSlots.isWithheld(place.stripe())) {
      sparse.note(place.stripe());
    }
  }

  /** Whether a stripe has no object and no taken slot; the stripe is not free. */
  public boolean isEmpty(int stripe) {
    return stripes().live(stripe) == 0 && !freeSlots.isTaken(stripe);
  }

  /**
   * Frees a stripe if it is empty; the caller is alone in it. Its items on servers are deleted once
   * that is durable. Its number is not reused before, so that nothing of a new stripe is deleted.
   *
   * @return whether it was empty
   */
  public boolean freeIfEmpty(int stripe) {
    if (stripes().state(stripe) == StripeState.FREE || !isEmpty(stripe)) {
      return false;
    }
    freeStripe(stripe, () -> {});
    return true;
  }

  /**
   * Frees a stripe with all its slots; the caller is alone in it. Its parity is deleted, and its
   * number may be reused, once that is durable.
   *
   * @param gone runs then
   */
  public void freeStripe(int stripe, Runnable gone) {
    freeSlots.freed(stripe);
    readSlots.clear(stripe);
    recentParity.remove(stripe);
    // an open stripe has some parity if a server had no memory for the rest of it
    Runnable parity = items.dropParity(stripe, code.parityCount());
    List<JournalItem> entries = takeHeld(stripe);
    metadata.freeStripe(
        stripe,
        () -> {
          parity.run();
          journal.release(entries);
          gone.run();
        });
  }

  /**
   * Notes that an object is read or written.
   *
   * @param candidate its entry in the object index
   */
  public void noteUse(long keyHash, long candidate) {
    if (readSlots.isKept()) {
      int stripe = ObjectIndex.stripe(candidate);
      DataRings layout = new DataRings(stripes().layout(stripe));
      int ring = placement.ring(keyHash);
      if (layout.holdsData(ring)) {
        noteUse(new Place(stripe, layout.chunk(ring), ObjectIndex.slot(candidate)));
      }
    }
  }

  /** As {@link #noteUse(long, long)}. */
  public void noteUse(Place place) {
    if (readSlots.isKept()) {
      int slots = code.k() * slotsPerChunk(place.stripe());
      readSlots.note(place.stripe(), slotOfStripe(place), slots);
    }
  }

  /** Number of a slot over all chunks of its stripe. */
  public int slotOfStripe(Place place) {
    return place.chunk() * slotsPerChunk(place.stripe()) + place.slot();
  }

  /** Removes the journal items held for a stripe: those not in parity, or not in all of it. */
  private List<JournalItem> takeHeld(int stripe) {
    List<JournalItem> held = new ArrayList<>(pending.remove(stripe));
    held.addAll(missingParity.remove(stripe));
    return held;
  }
}
