package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.coded.copies.Copies;
import io.counterpart.cache.coded.evict.Eviction;
import io.counterpart.cache.coded.evict.MemoryRelief;
import io.counterpart.cache.coded.evict.Moves;
import io.counterpart.cache.coded.evict.StripeCompaction;
import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.FoldQueue;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.JournalCatchUp;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.MissingParityRepair;
import io.counterpart.cache.coded.repair.ParityMarks;
import io.counterpart.cache.coded.repair.Restoration;
import io.counterpart.cache.coded.repair.Scrub;
import io.counterpart.cache.coded.replay.Replay;
import io.counterpart.cache.coded.request.Clearing;
import io.counterpart.cache.coded.request.CodedObjects;
import io.counterpart.cache.coded.request.ExpiryWalk;
import io.counterpart.cache.coded.request.InsertAdmission;
import io.counterpart.cache.coded.request.Reaper;
import io.counterpart.cache.coded.request.Writes;
import io.counterpart.cache.coded.scaling.Scaling;
import io.counterpart.cache.coded.server.CountingCopies;
import io.counterpart.cache.coded.server.DroppedItems;
import io.counterpart.cache.coded.server.LocalPorts;
import io.counterpart.cache.coded.server.ServerHandshake;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.shard.IndexBuild;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Checkpoints;
import io.counterpart.cache.coded.stripe.Durability;
import io.counterpart.cache.coded.stripe.Expiries;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.coded.write.JournalGate;
import io.counterpart.cache.coded.write.WriteUpkeep;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.coding.ErasureCode;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.metadata.copy.CopyIdentity;
import io.counterpart.cache.metadata.copy.OldCopy;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.OvertakenException;
import io.counterpart.cache.ownership.OwnerSite;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of a shard. It reads its metadata, connects its servers, finishes the writes that
 * a crash interrupted, and then serves requests while servers come and go. Belongs to its event
 * loop, except {@link #open}.
 */
public final class CodedShard {
  private static final Logger logger = LoggerFactory.getLogger(CodedShard.class);

  private final CodedSettings settings;
  private final GuardedLoop loop;
  private final MetadataLog log;
  private final Metadata metadata;
  private final CountingCopies counting;
  private final Copies copies;
  private final ServerTable servers;
  private final Shard shard;
  private final Folding folding;
  private final ShardServices services;
  private final Restoration restoration;
  private final Scaling scaling;
  private final CodedStatistics statistics = new CodedStatistics();
  private final CodedObjects objects;
  private final Clearing clearing;
  private final Background background;
  private final StripeCompaction compaction;
  private final @Nullable Eviction eviction;
  private final MissingParityRepair missingParityRepair;
  private final DroppedItems droppedItems;
  private final Reaper reaper;
  private final ExpiryWalk expiryWalk;
  private final Checkpoints checkpoints;
  private final CompletableFuture<CodedShard> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The servers before the change under way; the present ones if there is none. */
  private final ServerMap settled;

  /** Keys with two places in the metadata. */
  private final List<Key> moving = new ArrayList<>();

  /** Whether the shard did not exist before. */
  private final boolean isNew;

  /** Whether nothing was served yet: it is new, or its first start was interrupted. */
  private final boolean isUnserved;

  private final ShardStart start;
  private boolean serving;
  private boolean closed;

  /** Whether the shard ends as soon as the present task has, since too much was lost. */
  private boolean isEnding;

  private CodedShard(
      CodedScheme scheme,
      CodedSettings settings,
      CodingLibrary library,
      MetadataLog log,
      EventLoop eventLoop,
      LongSupplier clockSeconds)
      throws IOException {
    this.settings = settings;
    this.loop = new GuardedLoop(eventLoop, this::fail);
    this.log = log;
    this.isNew = log.topology().isEmpty();
    this.isUnserved = isNew || CopyIdentity.isUnserved(settings.metadata());
    ServerMap map =
        log.topology()
            .map(known -> scheme.maps().of(settings, known))
            .orElseGet(() -> scheme.maps().of(settings));
    this.settled =
        log.settledTopology().map(known -> scheme.maps().of(settings, known)).orElse(map);
    log.setEpoch(log.epoch() + 1);
    if (log.tier().isEmpty()) {
      log.setTier(UUID.randomUUID());
    }
    if (isNew) {
      log.setTopology(map.topology(0));
      log.setStaleServers(new TreeSet<>(map.servers()));
    }
    log.sync();
    Durability durability = new Durability(log, loop, settings.syncPause(), this::failLog);
    this.metadata = new Metadata(log, durability, this::failLog);
    CopySettings kept = settings.ownership().copies();
    this.counting = new CountingCopies(settings.code(), claim(), kept);
    this.copies = new Copies(kept, log, loop, counting);
    durability.with(copies::durable);
    copies.with(durability::advance, durability::isAwaited);
    metadata.onGrown(copies::grown);
    this.servers =
        new ServerTable(
            loop,
            settings,
            counting,
            metadata,
            LocalPorts.read(settings.metadata(), OwnerSite.boot()),
            new Servers());
    copies.withServers(servers::connections, () -> servers.isLeased(settings.code().k()));
    ErasureCode code = library.coder(settings.code());
    this.shard = Shard.of(settings, code, metadata, map, servers, loop);
    servers.in(shard.placement()::map);
    if (isNew) {
      servers.serve(); // there is no other owner
    }
    this.start = new ShardStart(shard, servers, counting, loop, () -> copies.begin(this::replay));
    this.folding = new Folding(shard, statistics);
    ObjectReads reads = new ObjectReads(shard, folding, statistics);
    this.services = new ShardServices(shard, folding, reads, statistics);
    this.background = new Background(loop, this::isQuiet);
    JournalCatchUp catchUp = new JournalCatchUp(shard, folding, background);
    this.restoration =
        new Restoration(services, scheme.repairs(), catchUp, background, servers::noteWhole);
    this.scaling =
        new Scaling(
            shard,
            servers,
            folding,
            catchUp,
            loop,
            resumed -> scheme.migrations().make(services, resumed));
    FoldQueue folds = new FoldQueue(folding::fold, background::after);
    WriteUpkeep upkeep = new WriteUpkeep(shard, folds, settings.journalBytes());
    JournalGate gate = new JournalGate(shard, servers, settings.journalBytes());
    MemoryRelief relief = new MemoryRelief(servers, shard.pending(), folds, background);
    InsertAdmission admission = new InsertAdmission(shard, relief);
    Writes writes = new Writes(shard, upkeep, gate, admission);
    Expiries expiries = new Expiries(clockSeconds);
    this.objects =
        new CodedObjects(
            shard, writes, scheme.reads().apply(services), expiries, statistics, clockSeconds);
    this.clearing = new Clearing(shard, servers, copies);
    Moves moves = new Moves(writes.moves(), restoration::movedWithoutRecord);
    this.compaction = new StripeCompaction(services, moves, background);
    relief.with(compaction);
    EvictionRule rule = settings.eviction();
    this.eviction =
        rule == null
            ? null
            : new Eviction(services, moves, background, this::mayEvict, this::mayMove, rule);
    if (eviction != null) {
      relief.with(eviction);
    }
    servers.with(admission::owedItems, relief::ask);
    folds.onFolded(gate::advance);
    this.missingParityRepair = new MissingParityRepair(services, background);
    this.droppedItems = new DroppedItems(servers, background, settings.metadata(), this::restore);
    this.reaper = new Reaper(shard, objects, expiries, background);
    this.expiryWalk = new ExpiryWalk(shard, expiries, background);
    this.checkpoints = new Checkpoints(log, loop, this::failLog);
    if (isChanging()) {
      shard.placement().begin(settled, map);
    }
    moving.addAll(IndexBuild.run(shard));
  }

  private TierClaim claim() throws IOException {
    return new TierClaim(
        log.tier().orElseThrow(),
        log.epoch(),
        settings.ownership().siteOf(settings.metadata()),
        settings.ownership().adoptsServers(),
        settings.metadata().toString());
  }

  /**
   * Opens a shard.
   *
   * @param loop its event loop, on which it answers
   * @param givenUp closes the shard when it is done, open or not
   * @return fails with a {@link io.counterpart.cache.metadata.disk.DirectoryInUseException} if
   *     another process has the metadata, with another {@link IOException} if they cannot be read,
   *     with an {@link IllegalArgumentException} if they are of another code
   */
  public static CompletableFuture<CodedShard> open(
      CodedScheme scheme,
      CodedSettings settings,
      CodingLibrary library,
      EventLoop loop,
      LongSupplier clockSeconds,
      CompletableFuture<Void> givenUp) {
    CompletableFuture<CodedShard> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            CodedShard made = make(scheme, settings, library, loop, clockSeconds);
            givenUp.thenRunAsync(made::close, loop);
            made.opened.whenComplete(
                (shard, failure) -> {
                  if (failure == null) {
                    result.complete(shard);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
            made.loop.run(made::connect);
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** Releases the metadata directory if anything fails. */
  private static CodedShard make(
      CodedScheme scheme,
      CodedSettings settings,
      CodingLibrary library,
      EventLoop loop,
      LongSupplier clockSeconds)
      throws IOException {
    OldCopy.refuse(settings.metadata());
    MetadataLog log =
        MetadataLog.open(settings.metadata(), MetadataOptions.of(settings.code().k()));
    try {
      return new CodedShard(scheme, settings, library, log, loop, clockSeconds);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private void connect() {
    Set<ServerId> all = new TreeSet<>(shard.placement().map().servers());
    all.addAll(settled.servers());
    servers.connect(all, log.staleServers());
    servers.watch();
    start.await(settings.startWait());
  }

  /** Whether only clients' requests are under way. */
  private boolean isQuiet() {
    return !scaling.isBusy()
        && !restoration.isWorking()
        && shard.placement().ringsDown() == 0
        && !shard.locks().isPaused();
  }

  /** Whether objects may leave: what clients' deletions could do, too. */
  private boolean mayEvict() {
    return !closed
        && !shard.locks().isPaused()
        && shard.placement().ringsDown() <= settings.code().parityCount();
  }

  /**
   * Whether objects may move to other stripes without their records: not while any server lacks
   * records, which are brought there stripe by stripe.
   */
  private boolean mayMove() {
    return background.mayWork() && restoration.left() == 0;
  }

  private boolean isChanging() {
    return settled.version() != shard.placement().map().version();
  }

  /** Reacts to the fate of servers. */
  private final class Servers implements ServerHandshake.Outcome {
    @Override
    public void ready(ServerLink link, boolean empty) {
      joined(link, empty);
    }

    /**
     * Lets a server go that was only to be added. Any other refusal means that somebody else owns
     * the tier.
     */
    @Override
    public void refused(ServerLink link, Refusal refusal) {
      if (isToBeAdded(link)) {
        scaling.refused(link.id(), refusal.why());
      } else {
        refusedBy(refusal);
      }
    }

    /**
     * Lets a server go that was only to be added, and waits for any other: it may be restarted with
     * other settings.
     */
    @Override
    public void unfit(ServerLink link, String why) {
      if (isToBeAdded(link)) {
        scaling.refused(link.id(), why);
      } else {
        logger.error("{}", why);
      }
    }

    /** Begins the replay anew: what it reads must not change meanwhile. */
    @Override
    public void emptied(ServerLink link) {
      if (isToBeAdded(link)) {
        noteAdded(link);
      } else if (serving) {
        restoration.add(List.of(link));
      } else {
        link.drop("was emptied");
      }
    }

    @Override
    public void whole(ServerLink link) {
      scaling.whole(link.id());
    }

    @Override
    public boolean isToBeAdded(ServerLink link) {
      return CodedShard.this.isToBeAdded(link);
    }

    /**
     * A stale server is emptied: with those of more than n − k rings, objects would be gone, unless
     * a store has them. The shard ends, and this proxy or another machine's goes on.
     */
    @Override
    public boolean mayMiss(ServerLink link) {
      if (settings.isStored()) {
        return true;
      }
      int rings = shard.placement().ringsHoldingItems(each -> isLacking(each) || each.equals(link));
      if (!isEnding && (isToBeAdded(link) || rings <= settings.code().parityCount())) {
        return true;
      }
      if (!isEnding) {
        isEnding = true;
        // not here: the caller may be in the middle of a change
        loop.execute(() -> fail(new ServersLostTogetherException(link.id().name(), rings)));
      }
      return false;
    }

    /**
     * Whether others have to make up for what a server lacks, or may turn out to lack: also one
     * that was just emptied, or is out of reach.
     */
    private boolean isLacking(ServerLink link) {
      return !link.isUsable()
          || link.isStale()
          || (serving ? restoration.isLacking(link) : start.isLacking(link));
    }
  }

  private void refusedBy(Refusal refusal) {
    IOException why = new OvertakenException(refusal);
    if (refusal.isByOwnTier() && !closed) {
      note(refusal);
    }
    if (isUnserved && !serving && !closed) {
      servers.release(() -> fail(why));
    } else {
      fail(why);
    }
  }

  /**
   * Notes the refusal of the own tier in the directory. Without other copies, these metadata are
   * old for good, although the next start's epoch would be higher than that of the newer mark. Of
   * several copies the servers' marks tell which ones count; the next start's epoch must be higher
   * then.
   */
  private void note(Refusal refusal) {
    try {
      if (settings.ownership().copies() == null) {
        OldCopy.note(settings.metadata(), refusal.why());
      } else if (!serving && refusal.epoch() > log.epoch()) {
        log.setEpoch(refusal.epoch());
      }
    } catch (IOException | IllegalArgumentException e) {
      logger.error("the refusal cannot be noted in {}", settings.metadata(), e);
    }
  }

  private void joined(ServerLink link, boolean empty) {
    if (isToBeAdded(link)) {
      noteAdded(link);
      return;
    }
    if (empty && !serving && isNew) {
      servers.noteWhole(link);
    } else if (empty && !serving) {
      start.emptied(link);
    } else if (empty) {
      restoration.add(List.of(link));
    }
    start.replayIfReady();
  }

  private boolean isToBeAdded(ServerLink link) {
    return !shard.placement().isLeaving(link.id()) && !shard.placement().map().contains(link.id());
  }

  /** It has no items yet. Until its mark says that it lacks none it is not used. */
  private void noteAdded(ServerLink link) {
    scaling.emptied(link.id());
    servers.noteWhole(link);
  }

  /**
   * Restores a server in use that lacks items. A server that is about to join needs none, and one
   * that leaves is not restored.
   */
  private void restore(ServerLink link) {
    if (!isToBeAdded(link)) {
      servers.noteLacking(link);
      restoration.add(List.of(link));
    }
  }

  /** Finishes interrupted writes; no other copy of the metadata may be served from any more. */
  private void replay() {
    if (closed) {
      return;
    }
    if (start.hasLostAny()) {
      logger.warn("a server was lost before journals were read: the start waits for it again");
      start.again();
      return;
    }
    try {
      if (settings.ownership().copies() != null) {
        CopyIdentity.noteServed(settings.metadata());
      }
    } catch (IOException e) {
      logger.error("the metadata in {} cannot be noted as served", settings.metadata(), e);
      failLog();
      return;
    }
    new Replay(services, List.copyOf(servers.all()), moving, new Replayed()).begin();
  }

  /** Reacts to the end of the replay. */
  private final class Replayed implements Replay.Outcome {
    @Override
    public void done() {
      serve();
    }

    @Override
    public void interrupted() {
      logger.warn("a server was lost while journals were read: they are read again");
      start.again();
    }

    @Override
    public void lacking(ServerLink link) {
      // one that is out of reach misses writes anyway
      if (link.isUsable()) {
        servers.noteLacking(link);
        start.emptied(link);
      }
    }

    @Override
    public boolean isLacking(ServerLink link) {
      return start.isLacking(link);
    }
  }

  private void serve() {
    serving = true;
    restoration.add(start.end());
    if (isChanging()) {
      scaling.resume(settled);
    }
    checkpoints.begin();
    compaction.begin();
    if (eviction != null) {
      eviction.begin();
    }
    reaper.begin();
    missingParityRepair.begin(new ParityMarks(servers, shard.placement(), restoration));
    droppedItems.begin();
    expiryWalk.begin(shard.objects().size() > 0);
    copies.serve();
    opened.complete(this);
  }

  private void failLog() {
    fail(new IOException("the metadata in " + settings.metadata() + " cannot be written or read"));
  }

  private void fail(IOException why) {
    if (closed) {
      return;
    }
    logger.error("the shard ends: {}", why.getMessage());
    opened.completeExceptionally(why);
    ended.completeExceptionally(why);
    close();
  }

  /** The log of the metadata, for copies elsewhere. */
  public Copies copies() {
    return copies;
  }

  /** The objects. */
  public CodedObjects objects() {
    return objects;
  }

  /**
   * Adds servers. Done when every object and all parity are on their servers, and nowhere else.
   *
   * @return fails with an {@link IllegalArgumentException} if one is there already, with an {@link
   *     IllegalStateException} if another change is under way
   */
  public CompletableFuture<Void> addServers(List<ServerId> added) {
    return scaling.add(added);
  }

  /** Removes servers; fails as {@link #addServers} does, and if too few servers would remain. */
  public CompletableFuture<Void> removeServers(List<ServerId> removed) {
    return scaling.remove(removed);
  }

  /**
   * Ends the change of servers under way before its next wave; {@link #servers} shows the finished
   * part.
   */
  public void stopScaling() {
    loop.run(scaling::stop);
  }

  /** Whether servers are being added or removed. */
  public boolean isScaling() {
    return scaling.isBusy();
  }

  /** Counters of the work that added, removed and lost servers caused. */
  public CodedStatistics statistics() {
    return statistics;
  }

  /**
   * Queries the statistics of the usable servers.
   *
   * @param group see {@link SummedStatistics#ask}
   */
  public void askServers(String group, Consumer<Map<String, Long>> done) {
    SummedStatistics.ask(
        servers.usable().stream().map(ServerLink::connection).toList(), group, done);
  }

  /** The usable servers. */
  public List<ServerId> usableServers() {
    return servers.usable().stream().map(ServerLink::id).toList();
  }

  /** Number of servers in use that still lack items. */
  public int serversToRestore() {
    return restoration.left();
  }

  /** Folds all journals; for an orderly stop, and for tests. */
  public void fold(Runnable done) {
    loop.run(() -> folding.foldAll(done));
  }

  /**
   * Verifies the content of every stripe, beside requests.
   *
   * @param done gets the errors, a line each
   */
  public void scrub(Consumer<List<String>> done) {
    loop.run(() -> new Scrub(shard, folding, done).begin());
  }

  /**
   * Deletes all objects: no earlier object is read once this is done. Changes that come meanwhile
   * wait.
   *
   * @param done called once; UNAVAILABLE if too many servers are down, because another owner may
   *     have them
   */
  public void clear(Consumer<Written> done) {
    loop.run(() -> clearing.begin(done));
  }

  /** The servers; during a change, those after the wave under way. */
  public List<ServerId> servers() {
    return shard.placement().map().servers();
  }

  /**
   * Checks that servers could be added if none were down.
   *
   * @throws IllegalArgumentException with the legal range
   */
  public void checkAdding(List<ServerId> added) {
    shard.placement().map().adding(added, 0);
  }

  /** Checks that servers could be removed, as {@link #checkAdding} does. */
  public void checkRemoving(List<ServerId> removed) {
    shard.placement().map().removing(removed, 0);
  }

  /** The present state. */
  public CodedStatus status() {
    return CodedStatus.of(shard, servers, restoration, scaling);
  }

  /** The position up to which the metadata log is durable; for tests. */
  public long durableMetadata() {
    return log.durable();
  }

  /**
   * Done when the shard is closed. Fails if it ends by itself: its metadata cannot be written, a
   * server belongs to another owner, its sequences are used up, or an exception left its state
   * unknown.
   */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /** Ends the shard as it is; no acknowledged write is lost. */
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.close();
    checkpoints.end();
    background.end();
    copies.end();
    metadata.end();
    shard.journalWriter().end();
    servers.close();
    try {
      log.close();
    } catch (IOException e) {
      logger.error("the metadata log of {} was not closed", settings.metadata(), e);
    }
    opened.completeExceptionally(new IOException("the shard was closed"));
    ended.complete(null);
  }
}
