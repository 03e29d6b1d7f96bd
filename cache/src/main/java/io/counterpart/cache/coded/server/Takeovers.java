package io.counterpart.cache.coded.server;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that were claimed from an owner who may still live, and the time when that owner has
 * stopped. The wait survives lost connections, after which the server has the own mark, and a
 * restart of this process. Until the shard serves, the own mark proves nothing on such a server, or
 * on one that had no mark: see {@link io.counterpart.cache.ownership.StartQuorum}. Belongs to the
 * shard's event loop.
 */
final class Takeovers {
  private static final Logger logger = LoggerFactory.getLogger(Takeovers.class);

  private final LongSupplier clockNanos;
  private final Duration wait;
  private final LocalPorts notes;

  /** Time from which each server may be used; empty while the time of the claim is not known. */
  private final Map<ServerId, Optional<Long>> ends = new HashMap<>();

  /** Servers whose last owner may have been another one; empty once the shard serves. */
  private final Set<ServerId> unproven = new HashSet<>();

  private boolean served;

  /**
   * @param wait from the claim on
   * @param notes keeps the takeovers for the next process
   */
  Takeovers(LongSupplier clockNanos, Duration wait, LocalPorts notes) {
    this.clockNanos = clockNanos;
    this.wait = wait;
    this.notes = notes;
    notes.takeovers().forEach(server -> ends.put(server, Optional.empty()));
    unproven.addAll(notes.takeovers());
  }

  /** Begins the takeover of a server from an owner who may still live, known or not. */
  void begin(ServerId server) {
    ends.put(server, Optional.empty());
    if (!served) {
      unproven.add(server);
    }
    note(server, true);
  }

  /** Begins the claim of a server that never had a mark: no owner has to be waited for. */
  void beginUnowned(ServerId server) {
    if (!served) {
      unproven.add(server);
      note(server, true);
    }
  }

  /** Whether the own mark of a server does not prove that its last owner was this site's. */
  boolean isUnproven(ServerId server) {
    return unproven.contains(server);
  }

  /** Notes that the shard begins to change the servers' items: no other owner can go on. */
  void serve() {
    served = true;
    for (ServerId server : unproven) {
      if (!ends.containsKey(server)) {
        note(server, false);
      }
    }
    unproven.clear();
  }

  /** Notes that a server has the own mark: the wait for an earlier owner begins, if it has not. */
  void seen(ServerId server) {
    left(server);
  }

  /** Remaining wait for a server that has the own mark; zero if there is none. */
  Duration left(ServerId server) {
    Optional<Long> known = ends.get(server);
    if (known == null) {
      return Duration.ZERO;
    }
    long now = clockNanos.getAsLong();
    long end = known.orElse(now + wait.toNanos());
    ends.put(server, Optional.of(end));
    if (end - now > 0) {
      return Duration.ofNanos(end - now);
    }
    ends.remove(server);
    if (!unproven.contains(server)) {
      note(server, false);
    }
    return Duration.ZERO;
  }

  private void note(ServerId server, boolean begins) {
    try {
      notes.noteTakeover(server, begins);
    } catch (IOException e) {
      logger.warn("the takeover of {} cannot be noted: a restart may not wait for it", server, e);
    }
  }
}
