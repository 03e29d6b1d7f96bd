package io.counterpart.cache.coded;

import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.metadata.LeftSlot;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata log as the shard uses it: what is noted is safe from the end of this process before
 * the call returns. A log that fails ends the shard: what its disk holds is unknown then, and the
 * servers with it. Belongs to the shard's event loop.
 */
final class Metadata {
  private final MetadataLog log;
  private final Runnable failed;
  private boolean ended;
  private boolean together;

  /**
   * @param failed called when the log has failed, before that is thrown
   */
  Metadata(MetadataLog log, Runnable failed) {
    this.log = log;
    this.failed = failed;
  }

  MetadataLog log() {
    return log;
  }

  int openStripe(int slotClass, long layout, long sequence) {
    int[] stripe = new int[1];
    attempt(() -> stripe[0] = log.openStripe(slotClass, layout, sequence));
    return stripe[0];
  }

  void seal(int stripe) {
    attempt(() -> log.seal(stripe));
  }

  void freeStripe(int stripe) {
    attempt(() -> log.freeStripe(stripe));
  }

  void assign(Place place, byte[] key) {
    attempt(() -> log.assign(place.stripe(), place.chunk(), place.slot(), key));
  }

  void free(Place place) {
    attempt(() -> log.free(place.stripe(), place.chunk(), place.slot()));
  }

  void leave(Place place, long sequence, byte[] key) {
    attempt(
        () -> log.leave(new LeftSlot(place.stripe(), place.chunk(), place.slot(), sequence, key)));
  }

  void folded(int stripe) {
    attempt(() -> log.folded(stripe));
  }

  /** Hands over all that is noted meanwhile at once. */
  void together(Runnable changes) {
    together = true;
    changes.run();
    together = false;
    attempt(() -> {});
  }

  void setTopology(Topology topology) {
    attempt(() -> log.setTopology(topology));
  }

  void setStaleServers(Set<ServerId> servers) {
    attempt(() -> log.setStaleServers(servers));
  }

  void setJournalNumbers(JournalNumbers numbers) {
    attempt(() -> log.setJournalNumbers(numbers));
  }

  /** The key in a slot, or null. */
  byte @Nullable [] key(Place place) {
    return key(place.stripe(), place.chunk(), place.slot());
  }

  byte @Nullable [] key(int stripe, int chunk, int slot) {
    try {
      return log.chunks().key(stripe, chunk, slot);
    } catch (IOException e) {
      failed.run();
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a slot of a stripe that is not free has no key; reads no file. */
  boolean isEmpty(int stripe, int chunk, int slot) {
    return log.chunks().isEmpty(stripe, chunk, slot);
  }

  /** Ends the shard, as a failure of the log does. */
  void fail() {
    failed.run();
  }

  /** Notes nothing from now on: what is under way ends without effect. */
  void end() {
    ended = true;
  }

  private void attempt(Change change) {
    if (ended) {
      return;
    }
    try {
      change.run();
      if (!together) {
        log.flush();
      }
    } catch (IOException e) {
      failed.run();
      throw new UncheckedIOException(e);
    }
  }

  @FunctionalInterface
  private interface Change {
    void run() throws IOException;
  }
}
