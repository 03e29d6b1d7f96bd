package io.counterpart.cache.coded;

import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's life: its metadata are read, servers join, what a crash left half done is completed,
 * then it serves; servers come and go meanwhile. Belongs to its event loop, but for {@link #open}.
 */
public final class CodedShard implements ServerLink.Watcher {
  private static final Logger logger = LoggerFactory.getLogger(CodedShard.class);

  private final CodedSettings settings;
  private final EventLoop loop;
  private final MetadataLog log;
  private final Map<ServerId, ServerLink> links = new TreeMap<>();
  private final Joining joining;
  private final Shard shard;
  private final Folding folding;
  private final Restoration restoration;
  private final CodedObjects objects;
  private final CompletableFuture<CodedShard> opened = new CompletableFuture<>();

  /** Servers that joined without what they had, before the shard served. */
  private final Set<ServerLink> emptied = new HashSet<>();

  /** Whether there was no shard before. */
  private final boolean isNew;

  private boolean waited;
  private boolean replaying;
  private boolean serving;
  private boolean closed;

  private CodedShard(
      CodedSettings settings, CodingLibrary library, EventLoop loop, LongSupplier clockSeconds)
      throws IOException {
    this.settings = settings;
    this.loop = loop;
    this.log = MetadataLog.open(settings.metadata(), MetadataOptions.of(settings.code().k()));
    this.isNew = log.topology().isEmpty();
    Rings rings = log.topology().map(settings::rings).orElseGet(settings::newRings);
    requireSame(rings);
    log.setEpoch(log.epoch() + 1);
    if (isNew) {
      log.setTopology(new Topology(rings.version(), rings.serversByRing(), 0));
      log.setStaleServers(new TreeSet<>(settings.servers()));
    }
    log.sync();
    Metadata metadata = new Metadata(log, this::fail);
    ObjectIndex index = new ObjectIndex();
    int k = settings.code().k();
    this.shard =
        new Shard(
            settings.shard(),
            settings.code(),
            metadata,
            index,
            new Placement(settings.shard(), k, metadata, index, rings, links),
            new FreeSlots(rings.count(), k, metadata),
            new PendingDeltas(),
            new Journal(settings.shard(), loop, metadata),
            new StripeGates(),
            new Sequences(log.epoch()),
            new Coder(library.coder(settings.code())),
            new RecordFormat());
    CodedStatistics statistics = new CodedStatistics();
    this.folding = new Folding(shard, statistics);
    this.restoration = new Restoration(shard, folding, statistics);
    this.objects =
        new CodedObjects(
            shard,
            new Writes(shard, folding, settings.journalBytes()),
            folding,
            statistics,
            clockSeconds);
    this.joining = new Joining(loop, settings.shard(), this::joined);
    buildIndexes();
  }

  /**
   * Opens a shard.
   *
   * @param loop its event loop, on which it answers
   * @return fails with an {@link IOException} if the metadata cannot be read, with an {@link
   *     IllegalArgumentException} if they are of other servers or another code
   */
  public static CompletableFuture<CodedShard> open(
      CodedSettings settings, CodingLibrary library, EventLoop loop, LongSupplier clockSeconds) {
    CompletableFuture<CodedShard> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            CodedShard made = new CodedShard(settings, library, loop, clockSeconds);
            made.connect();
            made.opened.whenComplete(
                (shard, failure) -> {
                  if (failure == null) {
                    result.complete(shard);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private void requireSame(Rings rings) throws IOException {
    Set<ServerId> given = new TreeSet<>(settings.servers());
    if (!given.equals(new TreeSet<>(rings.servers())) || rings.count() != settings.code().n()) {
      log.close();
      throw new IllegalArgumentException(
          "servers %s with code %s, legal with the metadata in %s: %s in %d rings"
              .formatted(
                  given, settings.code(), settings.metadata(), rings.servers(), rings.count()));
    }
  }

  private void buildIndexes() throws IOException {
    StripeIndex stripes = shard.stripes();
    log.chunks()
        .forEach((stripe, chunk, slot, key) -> shard.objects().add(KeyHash.of(key), stripe, slot));
    for (int stripe = 0; stripe < stripes.end(); stripe++) {
      if (stripes.state(stripe) != StripeState.FREE) {
        shard.freeSlots().giveAll(stripe);
      }
    }
  }

  private void connect() {
    Set<ServerId> stale = log.staleServers();
    for (ServerId server : settings.servers()) {
      links.put(
          server,
          new ServerLink(server, loop, settings.connections(), stale.contains(server), this));
    }
    loop.schedule(
        () -> {
          waited = true;
          replayIfReady();
        },
        settings.startWait().toMillis(),
        TimeUnit.MILLISECONDS);
  }

  @Override
  public void connected(ServerLink link) {
    joining.begin(link);
  }

  @Override
  public void lost(ServerLink link) {
    if (!closed) {
      logger.warn("server {} is lost", link);
    }
  }

  @Override
  public void becameStale(ServerLink link) {
    if (!closed) {
      logger.warn("server {} lacks writes; it will be emptied and restored", link);
      noteStale();
      if (link.connection().isOpen()) {
        joining.begin(link);
      }
    }
  }

  private void noteStale() {
    Set<ServerId> stale = new TreeSet<>();
    links.values().stream().filter(ServerLink::isStale).map(ServerLink::id).forEach(stale::add);
    shard.metadata().setStaleServers(stale);
  }

  private void joined(ServerLink link, boolean empty) {
    boolean wasStale = link.isStale();
    link.use();
    if (wasStale) {
      noteStale();
    }
    logger.info("server {} has joined{}", link, empty ? ", without items" : "");
    if (empty && serving) {
      restoration.add(link);
    } else if (empty && !isNew) {
      emptied.add(link);
    }
    replayIfReady();
  }

  private void replayIfReady() {
    boolean all = links.values().stream().allMatch(ServerLink::isUsable);
    boolean enough = shard.placement().ringsDown() <= settings.code().parityCount();
    if (replaying || closed || !(all || waited && enough)) {
      return;
    }
    replaying = true;
    // what is done without them they lack
    links.values().stream().filter(link -> !link.isUsable()).forEach(ServerLink::miss);
    new Replay(shard, folding, List.copyOf(links.values()), this::serve).begin();
  }

  private void serve() {
    serving = true;
    emptied.forEach(restoration::add);
    emptied.clear();
    opened.complete(this);
  }

  private void fail() {
    logger.error("the metadata log of {} has failed; the shard ends", settings.metadata());
    close();
  }

  /** The objects. */
  public CodedObjects objects() {
    return objects;
  }

  /** Servers that are used now. */
  public List<ServerId> usableServers() {
    return links.values().stream().filter(ServerLink::isUsable).map(ServerLink::id).toList();
  }

  /** Servers that do not have all of their items, though they are used. */
  public int serversToRestore() {
    return restoration.left();
  }

  /** Encodes all that journals hold; for a stop in good order, and for tests. */
  public void fold(Runnable done) {
    List<Integer> stripes = shard.pending().stripes();
    Countdown countdown = new Countdown(stripes.size() + 1, done);
    stripes.forEach(stripe -> folding.fold(stripe, countdown::oneLess));
    countdown.oneLess();
  }

  /**
   * Forgets all objects: nothing that was there before is read once this is done. Changes that come
   * meanwhile wait.
   */
  public void clear(Runnable done) {
    if (objects.isPaused()) {
      done.run(); // another one is under way, and ends later than it was asked for
      return;
    }
    objects.pause(
        () -> {
          List<ServerLink> used = links.values().stream().filter(ServerLink::isUsable).toList();
          links.values().forEach(ServerLink::miss);
          forgetAll();
          awaitUse(
              used,
              () -> {
                objects.resume();
                done.run();
              });
        });
  }

  /** A crash in the middle leaves objects whose items are all gone: they are dropped when read. */
  private void forgetAll() {
    try {
      List<Integer> used = new ArrayList<>();
      for (int stripe = 0; stripe < shard.stripes().end(); stripe++) {
        if (shard.stripes().state(stripe) != StripeState.FREE) {
          used.add(stripe);
        }
      }
      log.chunks()
          .forEach(
              (stripe, chunk, slot, key) -> shard.objects().remove(KeyHash.of(key), stripe, slot));
      used.forEach(shard.metadata()::freeStripe);
    } catch (IOException e) {
      fail();
      return;
    }
    shard.freeSlots().clear();
    shard.pending().clear();
    shard.journal().clear();
  }

  private void awaitUse(List<ServerLink> servers, Runnable done) {
    boolean all = servers.stream().allMatch(link -> link.isUsable() || !link.connection().isOpen());
    if (all) {
      done.run();
    } else {
      loop.schedule(() -> awaitUse(servers, done), 1, TimeUnit.MILLISECONDS);
    }
  }

  /** Bytes of the indexes in memory. */
  public long indexBytes() {
    return shard.objects().bytesUsed() + shard.stripes().bytesUsed();
  }

  /** Ends it as it is; nothing that was acknowledged is lost. */
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    new ArrayList<>(links.values()).forEach(ServerLink::close);
    try {
      log.close();
    } catch (IOException e) {
      logger.error("the metadata log of {} was not closed", settings.metadata(), e);
    }
    opened.completeExceptionally(new IOException("the shard was closed"));
  }
}
