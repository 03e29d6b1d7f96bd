package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.metadata.disk.DiskAction;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata log as the shard uses it. A record survives the end of this process once the call
 * returns, and a loss of power once {@link #whenDurable} reports it. A failure of the log ends the
 * shard, because the contents of its disk, and so the meaning of the servers' items, are then
 * unknown. Belongs to the shard's event loop.
 */
public final class Metadata {
  private final MetadataLog log;
  private final Runnable failed;
  private final Durability durability;
  private final long lastOpenedBefore;

  /** Stripes whose last change may not be durable, with the end of its record; the oldest first. */
  private final LinkedHashMap<Integer, Long> changed = new LinkedHashMap<>();

  /** As {@link #changed}, for the openings of stripes. */
  private final LinkedHashMap<Integer, Long> opened = new LinkedHashMap<>();

  /** Freed numbers that must not be reused yet, because their freeing is not durable. */
  private final Set<Integer> leaving = new HashSet<>();

  /** End of the last record of stale servers. */
  private long staleEnd;

  private boolean ended;
  private boolean together;
  private Runnable grown = () -> {};

  /**
   * @param durability of this log
   * @param failed runs when the log has failed, before the exception is thrown
   */
  public Metadata(MetadataLog log, Durability durability, Runnable failed) {
    this.log = log;
    this.lastOpenedBefore = log.lastOpened();
    this.durability = durability;
    this.failed = failed;
  }

  /** Registers a callback that runs when the log has grown. */
  public void onGrown(Runnable listener) {
    grown = listener;
  }

  public MetadataLog log() {
    return log;
  }

  public int openStripe(int slotClass, long layout, long sequence) {
    int longestFree = log.stripes().nextStripe();
    // numbers are freed in order: after one that is leaving, all others are leaving too
    int stripe = leaving.contains(longestFree) ? log.stripes().end() : longestFree;
    openStripe(stripe, slotClass, layout, sequence);
    return stripe;
  }

  /** As {@link #openStripe(int, long, long)}, with a given free number. */
  public void openStripe(int stripe, int slotClass, long layout, long sequence) {
    attempt(() -> log.openStripe(stripe, slotClass, layout, sequence));
    note(opened, stripe);
    note(changed, stripe);
  }

  /** The highest sequence of any stripe's opening that the log knew at the start. */
  public long lastOpenedBefore() {
    return lastOpenedBefore;
  }

  /** Whether a loss of power may undo the opening of a stripe. */
  public boolean mayForget(int stripe) {
    Long end = opened.get(stripe);
    return end != null && end > durability.durable();
  }

  /** Runs a callback once everything recorded so far survives a loss of power. */
  public void whenDurable(Runnable then) {
    if (!ended) {
      durability.await(log.end(), then);
    }
  }

  /** Runs a callback once everything recorded of a stripe so far survives a loss of power. */
  public void whenDurable(int stripe, Runnable then) {
    if (!ended) {
      durability.await(changed.getOrDefault(stripe, 0L), then);
    }
  }

  /** Runs a callback once the record of stale servers survives a loss of power. */
  public void whenDurableStale(Runnable then) {
    if (!ended) {
      durability.await(staleEnd, then);
    }
  }

  /** Whether writes should wait until the disk has caught up. */
  public boolean isBehind() {
    return durability.isBehind();
  }

  private void note(LinkedHashMap<Integer, Long> ends, int stripe) {
    ends.remove(stripe);
    ends.put(stripe, log.end());
    Iterator<Long> oldest = ends.values().iterator();
    while (oldest.hasNext() && oldest.next() <= durability.durable()) {
      oldest.remove();
    }
    durability.request();
  }

  public void seal(int stripe) {
    attempt(() -> log.seal(stripe));
    note(changed, stripe);
  }

  /**
   * Frees a stripe. Its number is not reused before that is durable.
   *
   * @param gone runs then: until then the stripe's items on servers were needed
   */
  public void freeStripe(int stripe, Runnable gone) {
    attempt(() -> log.freeStripe(stripe));
    leaving.add(stripe);
    whenDurable(
        () -> {
          leaving.remove(stripe);
          gone.run();
        });
  }

  public void assign(Place place, byte[] key) {
    attempt(() -> log.assign(place.stripe(), place.chunk(), place.slot(), key));
    note(changed, place.stripe());
  }

  public void free(Place place) {
    attempt(() -> log.free(place.stripe(), place.chunk(), place.slot()));
    note(changed, place.stripe());
  }

  /** Writes all records of a callback at once. */
  public void together(Runnable changes) {
    together = true;
    changes.run();
    together = false;
    attempt(() -> {});
  }

  public void setTopology(Topology topology) {
    attempt(() -> log.setTopology(topology));
  }

  public void setStaleServers(Set<ServerId> servers) {
    attempt(() -> log.setStaleServers(servers));
    staleEnd = log.end();
    durability.request();
  }

  public void setJournalNumbers(JournalNumbers numbers) {
    attempt(() -> log.setJournalNumbers(numbers));
  }

  /** The key in a slot, or null. */
  public byte @Nullable [] key(Place place) {
    return key(place.stripe(), place.chunk(), place.slot());
  }

  public byte @Nullable [] key(int stripe, int chunk, int slot) {
    try {
      return log.chunks().key(stripe, chunk, slot);
    } catch (IOException e) {
      failed.run();
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a slot has no key; the stripe is not free. Reads no file. */
  public boolean isEmpty(int stripe, int chunk, int slot) {
    return log.chunks().isEmpty(stripe, chunk, slot);
  }

  /** Ends the shard, as a failure of the log does. */
  public void fail() {
    failed.run();
  }

  /** Ignores all further changes: operations under way have no effect. */
  public void end() {
    ended = true;
    durability.end();
  }

  private void attempt(DiskAction change) {
    if (ended) {
      return;
    }
    try {
      change.run();
      if (!together) {
        log.flush();
        grown.run();
      }
    } catch (IOException e) {
      failed.run();
      throw new UncheckedIOException(e);
    }
  }
}
