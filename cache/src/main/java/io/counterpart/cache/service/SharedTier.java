package io.counterpart.cache.service;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.coded.ServersLostTogetherException;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.forward.OpenOperations;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.metadata.disk.DirectoryInUseException;
import io.counterpart.cache.ownership.OvertakenException;
import io.counterpart.cache.service.peer.PeerOptions;
import io.counterpart.cache.service.peer.TakeoverTurn;
import io.counterpart.cache.service.peer.UntilClosed;
import io.counterpart.cache.shards.LoopTasks;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coded tier of one shard, or a shard of a tier, that several proxies serve. The proxy that holds
 * the lock of the metadata owns the tier; the others forward to it and take over when the lock is
 * free. A separate thread switches between the two roles. Thread-safe.
 */
final class SharedTier implements OpenTier {
  private static final Logger logger = LoggerFactory.getLogger(SharedTier.class);
  private static final int CLOSE_SECONDS = 40;

  /** Role of a follower for whose copy of the metadata an owner on another machine waits. */
  static final String COUNTING = "counting follower";

  private final SchemeContext context;
  private final CodedSettings settings;
  private final CodingLibrary library;
  private final Path directory;
  private final ForwardStatistics statistics;
  private final FailoverTier objects;
  private final Following following;
  private final OwnerService service;
  private final CompletableFuture<OpenTier> opened = new CompletableFuture<>();
  private final UntilClosed waits = new UntilClosed();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile @Nullable CodedTier owned;
  private volatile Runnable abandoned = () -> {};

  private final @Nullable TakeoverTurn turn;
  private final Ownerless ownerless;

  // of the deciding thread
  private boolean saidWhoHasIt;

  private SharedTier(SchemeContext context, CodingLibrary library, ForwardStatistics statistics) {
    this.context = context;
    this.settings = context.codedSettings();
    this.library = library;
    this.statistics = statistics;
    directory = settings.metadata();
    objects = new FailoverTier(context.loop(), statistics);
    following = new Following(context, directory, objects, statistics, waits);
    PeerOptions peers = context.options().peers();
    service = new OwnerService(context, directory, objects);
    turn = peers == null ? null : new TakeoverTurn(peers, directory, System::nanoTime);
    ownerless = new Ownerless(directory, turn);
  }

  /**
   * Begins to open a shard of a claimed tier, as its owner or as a follower. That waits for servers
   * as long as more rings are down than the code tolerates, and for the owner if there is one.
   *
   * @param statistics of all shards of this proxy
   * @throws IOException if that cannot begin; nothing is owned
   */
  static SharedTier begin(
      SchemeContext context, CodingLibrary library, ForwardStatistics statistics)
      throws IOException {
    SharedTier tier = new SharedTier(context, library, statistics);
    context.keepingCopies(tier.settings); // fails before anything is owned
    PeerOptions peers = context.options().peers();
    if (peers != null) {
      peers.requireFree();
    }
    Thread deciding = new Thread(tier::run, "cache-owner");
    deciding.setDaemon(true);
    deciding.setUncaughtExceptionHandler(FatalErrors.endingProcess());
    deciding.start();
    return tier;
  }

  /** Done when clients can come. */
  CompletableFuture<OpenTier> opened() {
    return opened;
  }

  private void run() {
    try {
      while (!waits.isClosed()) {
        if (turn == null ? own() || follow() : follow() || takeOver(turn)) {
          ownerless.ends();
        } else {
          ownerless.goesOn();
          waits.pause();
        }
      }
      ended.complete(null);
    } catch (InterruptedException | IOException | RuntimeException e) {
      opened.completeExceptionally(e);
      ended.completeExceptionally(e);
    } finally {
      stopped.complete(null);
    }
  }

  private boolean follow() throws IOException, InterruptedException {
    Consumer<OwnerAddress> gone = turn == null ? lost -> {} : lost -> turn.lost(lost.server());
    return following.follow(() -> opened.complete(this), gone);
  }

  /** Owns the tier, if it is this proxy's turn, until another one does. */
  private boolean takeOver(TakeoverTurn mine) throws IOException, InterruptedException {
    if (!mine.begins(following.isRefused()) || !service.reachesStore(mine, !opened.isDone())) {
      return false;
    }
    try {
      mine.requirePort();
      return own();
    } catch (OvertakenException e) {
      mine.refused(e);
      logger.warn("another machine owns the tier: {}", e.getMessage());
    } catch (IOException e) {
      if (!opened.isDone()) {
        throw e;
      }
      logger.error("the tier cannot be owned now", e);
      mine.refused();
    }
    return true;
  }

  /** Owns the tier until it ends. Returns false, without an effect, if another proxy has it. */
  private boolean own() throws IOException, InterruptedException {
    CompletableFuture<Void> givenUp = new CompletableFuture<>();
    var opening = CodedTier.open(context, context.keepingCopies(settings), library, givenUp);
    CodedTier tier;
    try {
      // it takes as long as too many servers are away
      if (!following.awaitUnlessOwnedElsewhere(opening)) {
        givenUp.complete(null);
        waits.await(opening.handle((opened, why) -> opened));
        ownerless.ends(); // it is about to be followed
        return false;
      }
      tier = waits.await(opening);
    } catch (ServersLostTogetherException e) {
      startsAnew(e);
      return true;
    } catch (DirectoryInUseException e) {
      if (!saidWhoHasIt && !opened.isDone()) {
        saidWhoHasIt = true;
        logger.info("another proxy owns the tier: {}", e.getMessage());
      }
      return false;
    }
    if (tier == null) {
      givenUp.complete(null); // it may wait for servers for ever
      opening.thenAcceptAsync(CodedTier::close);
      return true;
    }
    serve(tier);
    return true;
  }

  /** Another machine, which may still reach the servers, goes first. */
  private void startsAnew(ServersLostTogetherException why) {
    logger.warn("the tier starts anew: {}", why.getMessage());
    if (turn != null) {
      turn.ended();
    }
  }

  private void serve(CodedTier tier) throws IOException, InterruptedException {
    OpenOperations operations = new OpenOperations();
    try (tier;
        ProxyStore store = context.store()) {
      ObjectTier stored = service.behind(store, tier, !opened.isDone());
      if (stored == null) {
        waits.pause();
      } else {
        service.serve(
            tier,
            operations.on(stored),
            waits,
            () -> {
              owned = tier;
              opened.complete(this);
            },
            () -> {
              owned = null;
              abandoned.run();
            });
      }
    } catch (ServersLostTogetherException e) {
      startsAnew(e);
    } finally {
      // not before tier and store are closed: until then they use the values of writes
      context.loop().execute(operations::end);
    }
  }

  @Override
  public List<ObjectTier> objects() {
    return List.of(objects);
  }

  @Override
  public String role() {
    if (owned != null) {
      return OWNER;
    }
    if (following.owner() == null) {
      return "waiting";
    }
    return following.counts() ? COUNTING : "follower";
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
    return tier != null ? tier.report() : OwnersControl.report(following.owner(), context);
  }

  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    CodedTier tier = owned;
    return tier != null
        ? tier.change(change)
        : OwnersControl.change(following.owner(), context, change);
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    CodedTier tier = owned;
    return tier != null
        ? tier.cancelChange()
        : OwnersControl.cancelChange(following.owner(), context);
  }

  @Override
  public void onAbandoned(Runnable listener) {
    abandoned = listener;
  }

  /** Refuses what waits for an owner: its clients are closed, and may have gone on elsewhere. */
  void refuseWaiting() {
    LoopTasks.execute(context.loop(), objects::refuseWaiting);
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  @Override
  public void close() {
    waits.close();
    try {
      stopped.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      logger.error("the tier in {} was not closed", directory, e);
    }
  }
}
