package io.counterpart.cache.coded;

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
 * Servers that were claimed from an owner that may live, and when it has stopped. That holds over
 * lost connections, after which the mark is the own one, and over a restart of this process. Until
 * the shard serves, the own mark on such a server, or on one that had none, proves nothing: see
 * {@link io.counterpart.cache.ownership.StartQuorum}. Belongs to the shard's event loop.
 */
final class Takeovers {
  private static final Logger logger = LoggerFactory.getLogger(Takeovers.class);

  private final LongSupplier clockNanos;
  private final Duration wait;
  private final LocalPorts notes;

  /** When each may be used; empty as long as it is not known when it was claimed. */
  private final Map<ServerId, Optional<Long>> ends = new HashMap<>();

  /** Until the shard serves: servers whose last owner may have been another one. */
  private final Set<ServerId> unproven = new HashSet<>();

  private boolean served;

  /**
   * @param wait from the claim on
   * @param notes where the next process finds what this one waits for
   */
  Takeovers(LongSupplier clockNanos, Duration wait, LocalPorts notes) {
    this.clockNanos = clockNanos;
    this.wait = wait;
    this.notes = notes;
    notes.takeovers().forEach(server -> ends.put(server, Optional.empty()));
    unproven.addAll(notes.takeovers());
  }

  /** The server is about to be claimed from an owner that may live, known or not. */
  void begin(ServerId server) {
    ends.put(server, Optional.empty());
    if (!served) {
      unproven.add(server);
    }
    note(server, true);
  }

  /** The server is about to be claimed, and never had a mark: nobody is waited for. */
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

  /** The shard begins to change what servers have: no other owner can go on. */
  void serve() {
    served = true;
    for (ServerId server : unproven) {
      if (!ends.containsKey(server)) {
        note(server, false);
      }
    }
    unproven.clear();
  }

  /** What is left of the wait for a server that has the own mark; zero if there is none. */
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
