package io.counterpart.cache.service;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.CodedStatus;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.metadata.copy.CopySource;
import io.counterpart.cache.objects.CodedObjectTier;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import java.io.File;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A coded tier in its owner's process: one shard and the changes of its servers. Thread-safe. */
final class CodedTier implements Controlled, AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(CodedTier.class);
  private static final LongSupplier CLOCK_SECONDS = () -> System.currentTimeMillis() / 1000;
  private static final int REPORT_SECONDS = 5;

  private final SchemeContext context;
  private final CodedSettings settings;
  private final CodingLibrary library;
  private final CodedShard shard;
  private final ObjectTier objects;
  private final ServerChanges changes;

  /** Runs on the event loop. */
  private CodedTier(
      SchemeContext context, CodedSettings settings, CodingLibrary library, CodedShard shard) {
    this.context = context;
    this.settings = settings;
    this.library = library;
    this.shard = shard;
    this.objects = new CodedObjectTier(shard, context.loop(), CLOCK_SECONDS);
    this.changes = new ServerChanges(shard, settings.code(), context.loop(), context.changeFile());
  }

  /**
   * Opens a tier that no other process has. Waits for servers as long as more rings are down than
   * the code tolerates.
   *
   * @param settings of its shard
   * @param givenUp ends the wait when it is done
   * @return fails as {@link CodedShard#open} does
   */
  static CompletableFuture<CodedTier> open(
      SchemeContext context,
      CodedSettings settings,
      CodingLibrary library,
      CompletableFuture<Void> givenUp) {
    return CodedShard.open(
            CodedScheme.ECHASH, settings, library, context.loop(), CLOCK_SECONDS, givenUp)
        .thenComposeAsync(
            shard -> new CodedTier(context, settings, library, shard).begin(), context.loop());
  }

  private CompletableFuture<CodedTier> begin() {
    sayWhichServers();
    try {
      changes.resume();
      return CompletableFuture.completedFuture(this);
    } catch (IOException e) {
      shard.close();
      return CompletableFuture.failedFuture(e);
    }
  }

  private void sayWhichServers() {
    Set<ServerId> known = new TreeSet<>(shard.servers());
    if (!known.equals(new TreeSet<>(context.ids()))) {
      logger.info(
          "the servers are those that the metadata know, {}, not those given, {}",
          known,
          context.ids());
    }
  }

  /** The log of the metadata, for copies elsewhere. */
  CopySource copies() {
    return shard.copies();
  }

  /**
   * Whether nobody else can own the tier now. On one machine that is so until the shard ends, which
   * gives back the lock.
   */
  BooleanSupplier isOwner(boolean hasPeers) {
    return hasPeers ? shard.copies()::isOwner : () -> !shard.ended().isDone();
  }

  /** The objects, for use on the tier's event loop. */
  ObjectTier objects() {
    return objects;
  }

  @Override
  public TierReport report() throws IOException {
    long logBytes = logBytes();
    return onLoop(() -> report(logBytes));
  }

  private TierReport report(long logBytes) {
    CodedStatus status = shard.status();
    return new TierReport(
        context.options().scheme().toString(),
        status.servers().stream()
            .map(this::report)
            .sorted(Comparator.comparingInt(ServerReport::ring))
            .toList(),
        report(status, logBytes),
        changes.report(status.stripesToMove()));
  }

  private ServerReport report(CodedStatus.Server server) {
    return new ServerReport(
        server.id().name(),
        server.ring(),
        server.state().name().toLowerCase(Locale.ROOT),
        server.losses(),
        context.shard());
  }

  private CodedReport report(CodedStatus status, long logBytes) {
    CodeShape code = settings.code();
    CodedStatistics counts = shard.statistics();
    return new CodedReport(
        code.n(),
        code.k(),
        library.toString(),
        code.n() - status.ringsDown(),
        status.objects(),
        status.openStripes(),
        status.sealedStripes(),
        status.indexBytes(),
        logBytes,
        status.journalBytes(),
        counts.degradedReads().sum(),
        counts.failedReads().sum(),
        counts.lostObjects().sum(),
        counts.restored().values(),
        counts.restoredParity().values(),
        counts.moved().values(),
        status.stripesToRestore(),
        status.slots(),
        counts.emptiedStripes().sum(),
        counts.movedWithinClass().values(),
        counts.reapedObjects().sum(),
        counts.evictedObjects().sum(),
        counts.stayed().values(),
        counts.evictedSeconds().sum(),
        counts.evictionAgeSeconds().get(),
        shard.copies().count());
  }

  /** Bytes of the log files; one that is deleted meanwhile counts 0. */
  private long logBytes() {
    File[] files = settings.metadata().toFile().listFiles((in, name) -> name.endsWith(".log"));
    return files == null ? 0 : List.of(files).stream().mapToLong(File::length).sum();
  }

  private <T> T onLoop(Callable<T> body) throws IOException {
    EventLoop loop = context.loop();
    try {
      return loop.submit(body).get(REPORT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException("the proxy is busy for more than " + REPORT_SECONDS + " s", e);
    } catch (ExecutionException | RejectedExecutionException e) {
      throw new IOException("the proxy cannot tell: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    return CompletableFuture.supplyAsync(() -> changes.begin(change), context.loop())
        .thenCompose(end -> end);
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    return CompletableFuture.supplyAsync(changes::cancel, context.loop()).thenCompose(end -> end);
  }

  /** Done when the tier is closed; fails if it ends by itself. */
  CompletableFuture<Void> ended() {
    return shard.ended();
  }

  /** Closes its connections; returns when that is done. */
  @Override
  public void close() {
    context.loop().submit(shard::close).awaitUninterruptibly();
  }
}
