package io.counterpart.cache.metadata;

import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state that the records of a log add up to. Each kind of record has a check, which throws and
 * changes nothing, and an application; a live log and a replay run the same code.
 */
final class MetadataState implements AutoCloseable {
  static final int MAX_KEY_BYTES = 250;
  static final int MAX_EPOCH = (1 << 24) - 1;

  private final StripeIndex stripes;
  private final ChunkIndex chunks;
  private long lastOpened;
  private int epoch;
  private @Nullable Topology topology;
  private @Nullable Topology settled;
  private Set<ServerId> staleServers = Set.of();
  private JournalNumbers journalNumbers = JournalNumbers.NONE;
  private @Nullable UUID tier;

  MetadataState(StripeIndex stripes, ChunkIndex chunks) {
    this.stripes = stripes;
    this.chunks = chunks;
  }

  StripeIndex stripes() {
    return stripes;
  }

  ChunkIndex chunks() {
    return chunks;
  }

  int epoch() {
    return epoch;
  }

  @Nullable Topology topology() {
    return topology;
  }

  Set<ServerId> staleServers() {
    return staleServers;
  }

  JournalNumbers journalNumbers() {
    return journalNumbers;
  }

  /** Number of records in a log that describes only this state. */
  long records() {
    return chunks.size() + 2L * stripes.size() + 7;
  }

  void checkAssign(int stripe, int chunk, int slot, int keyBytes) {
    if (keyBytes < 1 || keyBytes > MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "key of " + keyBytes + " bytes, legal: 1 to " + MAX_KEY_BYTES);
    }
    if (!chunks.isEmpty(stripe, chunk, slot)) {
      throw new IllegalStateException(slotName(stripe, chunk, slot) + " has a key, legal: none");
    }
  }

  void assign(int stripe, int chunk, int slot, long position) {
    chunks.assign(stripe, chunk, slot, position);
    stripes.addLive(stripe, 1);
  }

  void checkFree(int stripe, int chunk, int slot) {
    if (chunks.isEmpty(stripe, chunk, slot)) {
      throw new IllegalStateException(slotName(stripe, chunk, slot) + " has no key to free");
    }
  }

  void free(int stripe, int chunk, int slot) {
    chunks.free(stripe, chunk, slot);
    stripes.addLive(stripe, -1);
  }

  void checkOpen(int stripe, int slotClass) {
    SlotClasses.slotBytes(slotClass);
    if (stripe < 0 || stripe > StripeIndex.MAX_STRIPE) {
      throw new IllegalArgumentException(
          "stripe " + stripe + ", legal: 0 to " + StripeIndex.MAX_STRIPE);
    }
    requireState(stripe, StripeState.FREE);
  }

  void open(int stripe, int slotClass, long layout, long sequence) throws IOException {
    noteOpened(sequence);
    stripes.openAt(stripe, slotClass, layout);
    chunks.opened(stripe, sequence);
  }

  void noteOpened(long sequence) {
    lastOpened = Math.max(lastOpened, sequence);
  }

  /** The highest sequence of any stripe's opening. */
  long lastOpened() {
    return lastOpened;
  }

  void checkSeal(int stripe) {
    requireState(stripe, StripeState.OPEN);
  }

  void seal(int stripe) {
    stripes.seal(stripe);
  }

  void checkFreeStripe(int stripe) {
    stripes.live(stripe);
  }

  void freeStripe(int stripe) {
    stripes.addLive(stripe, -chunks.freed(stripe));
    stripes.free(stripe);
  }

  void checkEpoch(int next) {
    if (next <= epoch || next > MAX_EPOCH) {
      throw new IllegalArgumentException(
          "epoch " + next + ", legal: " + (epoch + 1) + " to " + MAX_EPOCH);
    }
  }

  void setEpoch(int next) {
    epoch = next;
  }

  @Nullable UUID tier() {
    return tier;
  }

  void checkTier() {
    if (tier != null) {
      throw new IllegalStateException("the log is of tier " + tier + ", legal: of none yet");
    }
  }

  void setTier(UUID id) {
    tier = id;
  }

  void checkTopology(Topology next) {
    if (topology != null && next.version() < topology.version()) {
      throw new IllegalArgumentException(
          "version " + next.version() + " of the rings, legal: from " + topology.version());
    }
  }

  void setTopology(Topology next) {
    topology = next;
    if (next.step() == 0) {
      settled = next;
    }
  }

  @Nullable Topology settled() {
    return settled;
  }

  void setStaleServers(Set<ServerId> servers) {
    staleServers = Set.copyOf(servers);
  }

  void checkJournalNumbers(JournalNumbers next) {
    if (next.first() < journalNumbers.first() || next.end() < journalNumbers.end()) {
      throw new IllegalArgumentException(
          "journal numbers " + next + ", legal: none below " + journalNumbers);
    }
  }

  void setJournalNumbers(JournalNumbers next) {
    journalNumbers = next;
  }

  private void requireState(int stripe, StripeState legal) {
    StripeState state = stripes.state(stripe);
    if (state != legal) {
      throw new IllegalStateException("stripe " + stripe + " is " + state + ", legal: " + legal);
    }
  }

  private static String slotName(int stripe, int chunk, int slot) {
    return "slot " + slot + " of chunk " + chunk + " of stripe " + stripe;
  }

  @Override
  public void close() throws IOException {
    try (chunks) {
      stripes.close();
    }
  }
}
