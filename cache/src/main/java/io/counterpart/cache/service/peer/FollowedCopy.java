package io.counterpart.cache.service.peer;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.coded.server.DroppedItems;
import io.counterpart.cache.coded.server.LocalPorts;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.peer.CopyConnection;
import io.counterpart.cache.forward.peer.OwnerLostException;
import io.counterpart.cache.metadata.copy.LogCopy;
import io.counterpart.cache.metadata.copy.LogFollower;
import io.counterpart.cache.metadata.disk.DirectoryInUseException;
import io.counterpart.cache.ownership.OwnerSite;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of the owner's metadata in this proxy's directory, while another machine's proxy owns
 * the tier. A thread of its own waits for the disk. While another proxy of this machine keeps the
 * copy, or the disk fails, it is tried again each five seconds. Thread-safe.
 */
public final class FollowedCopy implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(FollowedCopy.class);
  private static final int CLOSE_SECONDS = 20;

  /** Pause before the copy is tried again. */
  private static final int PAUSE_MILLIS = 5000;

  private static final int SLICE_MILLIS = 50;

  /** Pause between questions for the owner's ports. */
  private static final long PORTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path directory;
  private final OwnerAddress owner;
  private final EventLoop loop;
  private final ConnectionSecurity security;
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private volatile boolean closing;
  private volatile boolean counts;

  private FollowedCopy(
      Path directory, OwnerAddress owner, EventLoop loop, ConnectionSecurity security) {
    this.directory = directory;
    this.owner = owner;
    this.loop = loop;
    this.security = security;
  }

  /** Begins to follow. */
  public static FollowedCopy of(
      Path directory, OwnerAddress owner, EventLoop loop, ConnectionSecurity security) {
    FollowedCopy made = new FollowedCopy(directory, owner, loop, security);
    Thread thread = new Thread(made::run, "metadata-copy");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(FatalErrors.endingProcess());
    thread.start();
    return made;
  }

  /** Done when the owner answers no more, or the copy cannot be written. */
  public CompletableFuture<Void> lost() {
    return lost;
  }

  /** Whether the owner waits for this copy. */
  public boolean counts() {
    return counts;
  }

  private void run() {
    try {
      while (!closing) {
        attempt();
      }
    } catch (OwnerLostException e) {
      if (!closing) {
        logger.warn("the copy of the metadata follows no more: {}", e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lost.complete(null);
      stopped.complete(null);
    }
  }

  /** Follows as long as owner and disk answer. Without the disk, this proxy goes on forwarding. */
  private void attempt() throws OwnerLostException, InterruptedException {
    try (LogCopy copy = LogCopy.open(directory);
        CopyConnection connection = CopyConnection.open(owner, loop, security)) {
      follow(copy, connection);
    } catch (OwnerLostException e) {
      throw e;
    } catch (DirectoryInUseException e) {
      logger.info("another proxy of this machine keeps the copy: {}", e.getMessage());
      pause();
    } catch (IOException e) {
      logger.error("the copy of the metadata in {} cannot be kept", directory, e);
      pause();
    } finally {
      counts = false;
    }
  }

  private void follow(LogCopy copy, CopyConnection connection)
      throws IOException, InterruptedException {
    LogFollower follower = new LogFollower(copy, connection);
    follower.begin();
    DroppedItems.follow(directory);
    boolean wasWhole = copy.isWhole();
    long asked = System.nanoTime() - PORTS_NANOS;
    while (!closing) {
      if (System.nanoTime() - asked >= PORTS_NANOS) {
        asked = System.nanoTime();
        LocalPorts.follow(directory, OwnerSite.boot(), connection.ports());
      }
      follower.step();
      if (counts != follower.counts() || wasWhole != copy.isWhole()) {
        counts = follower.counts();
        wasWhole = copy.isWhole();
        logger.info(
            "the copy of the metadata in {} {}",
            directory,
            counts ? "counts" : wasWhole ? "is complete" : "is being made");
      }
    }
  }

  private void pause() throws InterruptedException {
    for (int waited = 0; waited < PAUSE_MILLIS && !closing; waited += SLICE_MILLIS) {
      Thread.sleep(SLICE_MILLIS);
    }
  }

  /** Ends, with the directory free for this process. */
  @Override
  public void close() {
    closing = true;
    try {
      stopped.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      logger.error("the copy in {} was not closed", directory, e);
    }
  }
}
