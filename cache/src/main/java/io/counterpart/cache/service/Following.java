package io.counterpart.cache.service;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnerConnection;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.forward.peer.Peers;
import io.counterpart.cache.service.peer.FollowedCopy;
import io.counterpart.cache.service.peer.PeerOptions;
import io.counterpart.cache.service.peer.UntilClosed;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy as a follower: finds the proxy that owns the tier, on this machine or on another one, and
 * forwards to it until it is lost. Belongs to the deciding thread, except {@link #owner}.
 */
final class Following {
  private static final Logger logger = LoggerFactory.getLogger(Following.class);
  private static final long LOCK_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Path directory;
  private final Path change;
  private final EventLoop loop;
  private final FailoverTier objects;
  private final UntilClosed waits;
  private final ForwardStatistics statistics;
  private final @Nullable PeerOptions peers;
  private final long self = new SecureRandom().nextLong();
  private int connections;
  private @Nullable OwnerAddress lost;
  private long lostNanos;
  private boolean isRefused;
  private volatile @Nullable OwnerAddress owner;
  private volatile @Nullable FollowedCopy copy;

  /**
   * @param directory of the lock
   * @param objects forwards while there is an owner
   */
  Following(
      SchemeContext context,
      Path directory,
      FailoverTier objects,
      ForwardStatistics statistics,
      UntilClosed waits) {
    this.directory = directory;
    this.change = context.changeFile();
    this.loop = context.loop();
    this.objects = objects;
    this.statistics = statistics;
    this.waits = waits;
    this.peers = context.options().peers();
  }

  /** The owner that is followed now; null for none. */
  @Nullable OwnerAddress owner() {
    return owner;
  }

  /** Whether the owner, on another machine, waits for the copy of its metadata here. */
  boolean counts() {
    FollowedCopy kept = copy;
    return kept != null && kept.counts();
  }

  /** Waits for a future; returns false if a proxy of another machine owns the tier meanwhile. */
  boolean awaitUnlessOwnedElsewhere(CompletableFuture<?> future)
      throws IOException, InterruptedException {
    PeerOptions among = peers;
    while (among != null && !future.isDone() && !waits.isClosed()) {
      waits.await(future, Duration.ofSeconds(1));
      if (!future.isDone() && findElsewhere(among).isPresent()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a peer that may be the owner has refused to talk to this proxy just now. */
  boolean isRefused() {
    return isRefused;
  }

  private Optional<OwnerAddress> findElsewhere(PeerOptions among)
      throws IOException, InterruptedException {
    Peers asked = new Peers(among.others(), among.question(), among.security(), loop);
    Optional<OwnerAddress> found = waits.await(asked.findOwner());
    isRefused = asked.isRefused();
    return found == null ? Optional.empty() : found;
  }

  /**
   * Forwards to the owner until it is lost.
   *
   * @param reached runs when the owner is reached
   * @param gone gets an owner that is lost
   * @return false if no owner is reached
   */
  boolean follow(Runnable reached, Consumer<OwnerAddress> gone)
      throws IOException, InterruptedException {
    Optional<OwnerAddress> here = OwnerAddress.read(directory).filter(this::wasNotLostJustNow);
    OwnerConnection connection = connect(here, ConnectionSecurity.NONE);
    if (connection != null) {
      follow(connection, null, reached, gone);
      return true;
    }
    PeerOptions among = peers;
    if (among != null) {
      connection = connect(findElsewhere(among), among.security());
    }
    if (among == null || connection == null) {
      return false;
    }
    ServerChanges.follow(change);
    follow(
        connection,
        FollowedCopy.of(directory, connection.owner(), loop, among.security()),
        reached,
        gone);
    return true;
  }

  /**
   * Forwards until the owner is lost.
   *
   * @param kept copy of an owner on another machine; null if it is on this one
   */
  private void follow(
      OwnerConnection connection,
      @Nullable FollowedCopy kept,
      Runnable reached,
      Consumer<OwnerAddress> gone)
      throws IOException, InterruptedException {
    OwnerAddress followed = connection.owner();
    try (connection;
        kept) {
      owner = followed;
      copy = kept;
      logger.info("forwards to the proxy that owns the tier, {}", followed.server());
      reached.run();
      waits.await(
          kept == null
              ? connection.ended()
              : CompletableFuture.anyOf(connection.ended(), kept.lost()).thenApply(end -> null));
    } finally {
      owner = null;
      copy = null;
    }
    if (!waits.isClosed()) {
      logger.warn("the proxy that owns the tier is lost, {}", followed.server());
      lost = followed;
      lostNanos = System.nanoTime();
      gone.accept(followed);
    }
  }

  /**
   * Whether the connection to this owner was not lost just now: a killed owner closes its
   * connections before the kernel releases its lock.
   */
  private boolean wasNotLostJustNow(OwnerAddress found) {
    OwnerAddress before = lost;
    return before == null
        || !before.secret().equals(found.secret())
        || System.nanoTime() - lostNanos >= LOCK_GRACE_NANOS;
  }

  private @Nullable OwnerConnection connect(
      Optional<OwnerAddress> found, ConnectionSecurity security) throws InterruptedException {
    if (found.isEmpty()) {
      return null;
    }
    connections++;
    try {
      return waits.await(
          OwnerConnection.open(
              found.get(),
              new OwnershipSecret.Greeting(self, connections),
              loop,
              objects,
              statistics,
              security));
    } catch (IOException e) {
      logger.debug("the owner is not reached", e);
      return null;
    }
  }
}
