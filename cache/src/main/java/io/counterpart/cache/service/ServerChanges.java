package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.ChangeCancelledException;
import io.counterpart.cache.control.ChangeReport;
import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerChange.Kind;
import io.counterpart.cache.metadata.disk.DurableFiles;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the changes of a shard's servers, one after the other. A requested change stays in a file
 * until it is done, so all of it survives the process. The shard alone would continue the wave
 * under way and forget the waves that had not begun. Belongs to the shard's event loop.
 */
final class ServerChanges {
  private static final Logger logger = LoggerFactory.getLogger(ServerChanges.class);
  private static final int POLL_MILLIS = 20;
  private static final int RETRY_MILLIS = 1000;

  private final CodedShard shard;
  private final CodeShape code;
  private final EventLoop loop;
  private final Path file;
  private @Nullable ServerChange underWay;
  private CompletableFuture<Void> end = new CompletableFuture<>();
  private boolean cancelled;
  private boolean stopped;
  private long startNanos;
  private long stripesInAll;

  /**
   * @param file of the change under way
   */
  ServerChanges(CodedShard shard, CodeShape code, EventLoop loop, Path file) {
    this.shard = shard;
    this.code = code;
    this.loop = loop;
    this.file = file;
    shard.ended().whenComplete((nothing, why) -> stop());
  }

  /**
   * Forgets a change that this machine had begun, since another one owns the tier: operators ask
   * that one for the rest, or for something else.
   */
  static void follow(Path file) {
    try {
      if (Files.exists(file)) {
        logger.warn("another machine owns the tier: the rest of {} is forgotten", file);
        delete(file);
      }
    } catch (IOException e) {
      logger.error("{} cannot be deleted: it goes on once this machine owns the tier", file, e);
    }
  }

  /** Durable on return: a loss of power brings back no change that was cancelled. */
  private static void delete(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      DurableFiles.syncDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }
  }

  /** The shard has ended: the next one goes on with the change. */
  private void stop() {
    stopped = true;
    end.completeExceptionally(hasStopped());
  }

  private static IllegalStateException hasStopped() {
    return new IllegalStateException(
        "the proxy has ended its use of the servers: a change that has begun goes on later");
  }

  /**
   * Begins a change.
   *
   * @return done at its end; fails as {@link io.counterpart.cache.control.Controlled#change} does
   */
  CompletableFuture<Void> begin(ServerChange change) {
    if (stopped) {
      return CompletableFuture.failedFuture(hasStopped());
    }
    ServerChange before = underWay;
    try {
      if (before != null) {
        throw new IllegalStateException(
            "another change is under way: %s %s".formatted(before.kind().doing(), names(before)));
      }
      plan(change, ids(change));
      int down = shard.status().ringsDown();
      if (down >= code.parityCount()) {
        throw new IllegalStateException(
            "%d of %d rings have a server that is down, legal while servers change: 0 to %d"
                .formatted(down, code.n(), code.parityCount() - 1));
      }
      write(change);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(new UncheckedIOException(e));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
    start(change);
    return end;
  }

  /**
   * Ends the change under way before its next wave. The file is deleted at once: a process that
   * comes after this one finishes the wave under way, and begins no other.
   *
   * @return done when the change has ended; fails with an {@link IllegalStateException} if there is
   *     none
   */
  CompletableFuture<Void> cancel() {
    if (stopped) {
      return CompletableFuture.failedFuture(hasStopped());
    }
    ServerChange change = underWay;
    if (change == null) {
      return CompletableFuture.failedFuture(Controlled.nothingToCancel());
    }
    try {
      delete(file);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(new UncheckedIOException(e));
    }
    logger.info("to be cancelled: {} {}", change.kind().doing(), names(change));
    cancelled = true;
    shard.stopScaling();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    end.whenComplete(
        (nothing, failure) -> {
          if (stopped) {
            ended.completeExceptionally(hasStopped()); // a wave may be under way
          } else {
            ended.complete(null);
          }
        });
    return ended;
  }

  /**
   * Resumes the change that an earlier process has begun.
   *
   * @throws IOException if the file cannot be read or is malformed
   */
  void resume() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try {
      ServerChange change = ServerChange.parse(Files.readString(file));
      logger.info("goes on {} {}", change.kind().doing(), names(change));
      start(change);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Progress of the change under way; null if there is none.
   *
   * @param stripesLeft according to the shard
   */
  @Nullable ChangeReport report(long stripesLeft) {
    ServerChange change = underWay;
    if (change == null) {
      return null;
    }
    stripesInAll = Math.max(stripesInAll, stripesLeft);
    return new ChangeReport(
        change.kind().doing(),
        names(change),
        stripesLeft,
        stripesInAll,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos));
  }

  private void start(ServerChange change) {
    underWay = change;
    cancelled = false;
    end = new CompletableFuture<>();
    startNanos = System.nanoTime();
    stripesInAll = 0;
    proceed(change);
  }

  private void proceed(ServerChange change) {
    if (stopped) {
      return;
    }
    if (shard.isScaling()) {
      loop.schedule(() -> proceed(change), POLL_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    List<ServerId> left = left(change);
    if (left.isEmpty() || cancelled) {
      finish(change, null);
    } else if (shard.status().ringsDown() >= code.parityCount()) {
      loop.schedule(() -> proceed(change), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      CompletableFuture<Void> changed =
          change.kind() == Kind.ADD ? shard.addServers(left) : shard.removeServers(left);
      changed.whenComplete((nothing, failure) -> finish(change, failure));
    }
  }

  /** Servers of an interrupted change that are still to be added or removed. */
  private List<ServerId> left(ServerChange change) {
    List<ServerId> servers = shard.servers();
    boolean removing = change.kind() == Kind.REMOVE;
    return ids(change).stream().filter(server -> servers.contains(server) == removing).toList();
  }

  private void finish(ServerChange ended, @Nullable Throwable failure) {
    if (stopped) {
      return; // its file tells the next shard
    }
    underWay = null;
    List<ServerId> left = left(ended);
    try {
      delete(file);
    } catch (IOException e) {
      logger.error("{} cannot be deleted: the change will be looked at again", file, e);
    }
    if (failure == null && !left.isEmpty()) {
      String message = cancelledText(ended, left);
      logger.info("{}", message);
      end.completeExceptionally(new ChangeCancelledException(message));
    } else if (failure == null) {
      logger.info("done: {}", ended);
      end.complete(null);
    } else {
      logger.error("not done: {}", ended, failure);
      end.completeExceptionally(failure);
    }
  }

  private static String cancelledText(ServerChange change, List<ServerId> left) {
    List<ServerId> done = ids(change).stream().filter(server -> !left.contains(server)).toList();
    return "cancelled: %s %s; done: %s; as before: %s"
        .formatted(change.kind().doing(), names(change), names(done), names(left));
  }

  private static String names(List<ServerId> servers) {
    return servers.isEmpty()
        ? "none"
        : servers.stream().map(ServerId::name).collect(Collectors.joining(" "));
  }

  /** Fails if the change is illegal. */
  private void plan(ServerChange change, List<ServerId> servers) {
    if (change.kind() == Kind.ADD) {
      shard.checkAdding(servers);
    } else {
      shard.checkRemoving(servers);
    }
  }

  private void write(ServerChange change) throws IOException {
    DurableFiles.overwrite(file, (change + "\n").getBytes(UTF_8));
  }

  private static List<ServerId> ids(ServerChange change) {
    return change.servers().stream().map(SchemeContext::id).toList();
  }

  private static String names(ServerChange change) {
    return change.servers().stream().map(Object::toString).collect(Collectors.joining(" "));
  }
}
