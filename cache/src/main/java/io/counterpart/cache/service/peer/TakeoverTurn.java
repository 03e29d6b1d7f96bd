package io.counterpart.cache.service.peer;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.copy.OldCopy;
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

  public TakeoverTurn(PeerOptions peers, Path directory, LongSupplier clockNanos) {
    this.peers = peers;
    this.directory = directory;
    this.clockNanos = clockNanos;
    notBeforeNanos =
        clockNanos.getAsLong() + START_NANOS + RANK_NANOS * peers.all().indexOf(peers.self());
  }

  /** Notes that the connection to an owner is lost. */
  public void lost(ServerAddress owner) {
    List<ServerAddress> left = new ArrayList<>(peers.all());
    left.remove(owner);
    notBeforeNanos = clockNanos.getAsLong() + RANK_NANOS * left.indexOf(peers.self());
  }

  /** Notes that the servers belong to another owner. */
  public void refused() {
    notBeforeNanos =
        clockNanos.getAsLong() + REFUSED_NANOS + ThreadLocalRandom.current().nextLong(SPREAD_NANOS);
  }

  /**
   * Whether it is this proxy's turn. Without metadata, only the first proxy of the list makes a
   * tier.
   */
  public boolean isNow() throws IOException {
    return clockNanos.getAsLong() - notBeforeNanos >= 0
        && !OldCopy.isNoted(directory)
        && (hasLog() || peers.isFirst());
  }

  /** Whether there are metadata here, complete or not. */
  public boolean hasLog() throws IOException {
    return Files.isDirectory(directory) && !new LogDirectory(directory).segments().isEmpty();
  }
}
