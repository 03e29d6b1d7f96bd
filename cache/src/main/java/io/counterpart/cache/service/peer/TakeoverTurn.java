package io.counterpart.cache.service.peer;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.copy.CopyIdentity;
import io.counterpart.cache.metadata.copy.OldCopy;
import io.counterpart.cache.ownership.OvertakenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides when a proxy may try to take the tier over from one on another machine, so that two
 * seldom try at once. Whether it may have the tier is decided by the servers' marks. Belongs to the
 * deciding thread.
 */
public final class TakeoverTurn {
  /** Time at the start for an owner to be found. */
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

  /** Head start of each proxy before the next one in the list. */
  private static final long RANK_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** Time for whoever was faster to serve. */
  private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PeerOptions peers;
  private final Path directory;
  private final LongSupplier clockNanos;
  private long notBeforeNanos;
  private boolean isDoubted;

  public TakeoverTurn(PeerOptions peers, Path directory, LongSupplier clockNanos) {
    this.peers = peers;
    this.directory = directory;
    this.clockNanos = clockNanos;
    notBeforeNanos =
        clockNanos.getAsLong() + START_NANOS + RANK_NANOS * peers.all().indexOf(peers.self());
  }

  /** Notes that the connection to an owner is lost. */
  public void lost(ServerAddress owner) {
    isDoubted = false;
    List<ServerAddress> left = new ArrayList<>(peers.all());
    left.remove(owner);
    notBeforeNanos = clockNanos.getAsLong() + RANK_NANOS * left.indexOf(peers.self());
  }

  /** Notes that this proxy's own tier has ended by itself: all others go first. */
  public void ended() {
    isDoubted = false;
    notBeforeNanos = clockNanos.getAsLong() + RANK_NANOS * peers.all().size();
  }

  /**
   * Begins a turn, if it is this proxy's. Without metadata, only the first proxy of the list makes
   * a tier. Until that has served, it gives way to any other tier: the servers may have one, whose
   * owner was not found.
   *
   * @param mayBeOwned whether a peer has just refused to talk to this proxy. The first time it
   *     waits then, until a living owner has ceased to count on the copy here; the servers' marks
   *     tell.
   */
  public boolean begins(boolean mayBeOwned) throws IOException {
    if (mayBeOwned && !isDoubted) {
      isDoubted = true;
      refused();
    }
    if (!isNow()) {
      return false;
    }
    if (!hasLog()) {
      CopyIdentity.noteUnserved(directory);
    }
    return true;
  }

  /**
   * Ends a turn, because the servers belong to another owner.
   *
   * @throws OvertakenException if that is of another tier, which this one must not follow
   */
  public void refused(OvertakenException why) throws IOException {
    if (CopyIdentity.isUnserved(directory)) {
      OldCopy.note(directory, "a new tier was refused: " + why.getMessage()); // it can only follow
    } else if (!why.isByOwnTier()) {
      throw why;
    }
    refused();
  }

  /** Notes that this proxy cannot own the tier now. */
  public void refused() {
    notBeforeNanos =
        clockNanos.getAsLong() + REFUSED_NANOS + ThreadLocalRandom.current().nextLong(SPREAD_NANOS);
  }

  /**
   * Checks that this proxy can listen to its peers, before it takes the tier over: an owner makes
   * its own copy the only one that counts, so that no other proxy could own the tier instead.
   *
   * @throws IOException with the address
   */
  public void requirePort() throws IOException {
    peers.requireFree();
  }

  /** Why this proxy does not own the tier now, for people. */
  public String why() throws IOException {
    if (OldCopy.isNoted(directory)) {
      return "the metadata here lack something, or were refused: see the file superseded";
    }
    return hasLog() || peers.isFirst()
        ? "this proxy tries in its turn"
        : "there are no metadata here, and a new tier is made by " + peers.all().get(0);
  }

  private boolean isNow() throws IOException {
    return clockNanos.getAsLong() - notBeforeNanos >= 0
        && !OldCopy.isNoted(directory)
        && (hasLog() || peers.isFirst());
  }

  /** Whether there are metadata here, complete or not. */
  private boolean hasLog() throws IOException {
    return Files.isDirectory(directory) && !new LogDirectory(directory).segments().isEmpty();
  }
}
