package io.counterpart.cache.service;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnerConnection;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.metadata.DirectoryInUseException;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coded tier that several proxies serve. The proxy that holds the lock of the metadata owns the
 * tier; the others forward to it and take over when the lock is free. A separate thread switches
 * between the two roles. Thread-safe.
 */
final class SharedTier implements OpenTier {
  private static final Logger logger = LoggerFactory.getLogger(SharedTier.class);
  private static final long PAUSE_MILLIS = 50;
  private static final int CLOSE_SECONDS = 40;
  private static final long LOCK_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SchemeContext context;
  private final CodedSettings settings;
  private final CodingLibrary library;
  private final Path directory;
  private final ForwardStatistics statistics = new ForwardStatistics();
  private final FailoverTier objects;
  private final long self = new SecureRandom().nextLong();
  private final CompletableFuture<OpenTier> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> closing = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile @Nullable CodedTier owned;
  private volatile @Nullable OwnerAddress owner;

  // of the deciding thread
  private int connections;
  private @Nullable OwnerAddress lost;
  private long lostNanos;
  private boolean saidWhoHasIt;

  private SharedTier(SchemeContext context, CodedSettings settings, CodingLibrary library) {
    this.context = context;
    this.settings = settings;
    this.library = library;
    directory = settings.metadata();
    objects = new FailoverTier(context.loop(), statistics);
  }

  /**
   * Opens a tier, as its owner or as a follower. Waits for servers as long as more rings are down
   * than the code tolerates, and for the owner if there is one.
   *
   * @param settings of its shard
   */
  static CompletableFuture<OpenTier> open(SchemeContext context, CodedSettings settings) {
    CodingLibrary library = CodingLibrary.load();
    logger.info("coding: {}", library);
    try {
      TierMetadata.claim(context.metadata(), context.options());
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    SharedTier tier = new SharedTier(context, settings, library);
    Thread deciding = new Thread(tier::run, "cache-owner");
    deciding.setDaemon(true);
    deciding.setUncaughtExceptionHandler(FatalErrors.endingProcess());
    deciding.start();
    return tier.opened;
  }

  private void run() {
    try {
      while (!closing.isDone()) {
        if (!own() && !follow()) {
          pause();
        }
      }
      ended.complete(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
    } catch (IOException | RuntimeException e) {
      fail(e);
    } finally {
      stopped.complete(null);
    }
  }

  private void fail(Exception why) {
    opened.completeExceptionally(why);
    ended.completeExceptionally(why);
  }

  /** Owns the tier until it ends. Returns false, without an effect, if another proxy has it. */
  private boolean own() throws IOException, InterruptedException {
    CompletableFuture<CodedTier> opening = CodedTier.open(context, settings, library);
    CodedTier tier;
    try {
      tier = await(opening);
    } catch (DirectoryInUseException e) {
      if (!saidWhoHasIt && !opened.isDone()) {
        saidWhoHasIt = true;
        logger.info("another proxy owns the tier: {}", e.getMessage());
      }
      return false;
    }
    if (tier == null) {
      opening.thenAcceptAsync(CodedTier::close);
      return true;
    }
    try (tier;
        ProxyStore store = context.store()) {
      serve(tier, store.behind(tier.objects()));
    }
    return true;
  }

  private void serve(CodedTier tier, ObjectTier local) throws IOException, InterruptedException {
    TierMetadata.noteRecords(context.metadata(), context.options());
    OwnershipSecret secret = OwnershipSecret.random();
    try (ProxyServer followers =
        ProxyServer.listenToFollowers(
            local, context.memory(), secret, () -> System.nanoTime() / NANOS_PER_MILLI)) {
      ServerAddress address =
          new ServerAddress(
              followers.address().getAddress().getHostAddress(), followers.address().getPort());
      new OwnerAddress(address, secret, context.control()).write(directory);
      context.loop().execute(() -> objects.use(local));
      owned = tier;
      logger.info("owns the tier in {}; proxies that follow reach it at {}", directory, address);
      opened.complete(this);
      await(tier.ended());
    } finally {
      owned = null;
      context.loop().execute(() -> objects.lose(local));
      OwnerAddress.delete(directory);
    }
  }

  /**
   * Forwards to the owner until the connection is lost. Returns false if the owner is not reached.
   */
  private boolean follow() throws IOException, InterruptedException {
    Optional<OwnerAddress> found = OwnerAddress.read(directory);
    if (found.isEmpty() || wasLostJustNow(found.get())) {
      return false;
    }
    OwnerConnection connection = connect(found.get());
    if (connection == null) {
      return false;
    }
    try (connection) {
      owner = connection.owner();
      logger.info("forwards to the proxy that owns the tier, {}", connection.owner().server());
      opened.complete(this);
      await(connection.ended());
    } finally {
      owner = null;
    }
    if (!closing.isDone()) {
      logger.warn("the proxy that owns the tier is lost, {}", connection.owner().server());
      lost = connection.owner();
      lostNanos = System.nanoTime();
    }
    return true;
  }

  /**
   * Whether the connection to this owner was lost just now: a killed owner closes its connections
   * before the kernel releases its lock.
   */
  private boolean wasLostJustNow(OwnerAddress found) {
    OwnerAddress before = lost;
    return before != null
        && before.secret().equals(found.secret())
        && System.nanoTime() - lostNanos < LOCK_GRACE_NANOS;
  }

  private @Nullable OwnerConnection connect(OwnerAddress found) throws InterruptedException {
    connections++;
    try {
      return await(
          OwnerConnection.open(
              found,
              new OwnershipSecret.Greeting(self, connections),
              context.loop(),
              objects,
              statistics));
    } catch (IOException e) {
      logger.debug("the owner is not reached", e);
      return null;
    }
  }

  /**
   * Waits for a future, or for the end of this tier.
   *
   * @return null if this tier ends first
   */
  private <T> @Nullable T await(CompletableFuture<T> future)
      throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(future, closing).get();
      return future.isDone() ? future.get() : null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof IllegalArgumentException refusal) {
        throw refusal;
      }
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  private void pause() throws InterruptedException {
    if (!closing.isDone()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  @Override
  public ObjectTier objects() {
    return objects;
  }

  @Override
  public String role() {
    if (owned != null) {
      return "owner";
    }
    return owner == null ? "waiting" : "follower";
  }

  @Override
  public ForwardStatistics forwarded() {
    return statistics;
  }

  @Override
  public Optional<TierReport> ownReport() throws IOException {
    CodedTier tier = owned;
    return tier == null ? Optional.empty() : Optional.of(tier.report());
  }

  @Override
  public TierReport report() throws IOException {
    CodedTier tier = owned;
    return tier != null ? tier.report() : OwnersControl.report(owner);
  }

  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    CodedTier tier = owned;
    return tier != null ? tier.change(change) : OwnersControl.change(owner, change);
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    CodedTier tier = owned;
    return tier != null ? tier.cancelChange() : OwnersControl.cancelChange(owner);
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  @Override
  public void close() {
    closing.complete(null);
    try {
      stopped.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      logger.error("the tier in {} was not closed", directory, e);
    }
  }
}
