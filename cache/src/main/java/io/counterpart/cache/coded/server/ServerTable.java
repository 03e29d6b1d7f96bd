package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.item.ServerMemory;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.TierLease;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's servers through connection, joining, loss and return. The metadata record a server as
 * stale before any write goes on without it. Belongs to the shard's event loop.
 */
public final class ServerTable implements ServerLink.Watcher {
  private static final Logger logger = LoggerFactory.getLogger(ServerTable.class);

  /**
   * Length of a lease in reply time-outs: a silent server is given up within two, before its lease
   * is over.
   */
  private static final int LEASE_REPLIES = 3;

  private final GuardedLoop loop;
  private final CodedSettings settings;
  private final Metadata metadata;
  private final LocalPorts ports;
  private final Marks marks;
  private final Takeovers takeovers;
  private final ServerHandshake handshake;
  private final ServerHandshake.Outcome outcome;
  private final OwnershipWatch watch;
  private final Map<ServerId, ServerLink> links = new LinkedHashMap<>();

  /** A snapshot of the links, because every write needs them. */
  private List<ServerLink> all = List.of();

  /**
   * Stale servers that were emptied and have got nothing since, each with the number of its
   * joining. The metadata no longer record them as stale.
   */
  private final Map<ServerLink, Long> emptied = new HashMap<>();

  private long joins;
  private Function<ServerLink, Map<Long, Integer>> owedItems = link -> Map.of();
  private Runnable shortage = () -> {};
  private @Nullable TierLease tierLease;

  /** End of the leases that {@link #isLeased} has found last. */
  private long leasedUntilNanos = System.nanoTime();

  private Supplier<ServerMap> map =
      () -> {
        throw new IllegalStateException("no servers yet");
      };
  private boolean isReleased;
  private boolean closed;
  private long losses;

  /**
   * @param copies those of the metadata that the servers' marks name, and the claim of this start
   * @param outcome gets each server that may be used from now on, or never
   */
  public ServerTable(
      GuardedLoop loop,
      CodedSettings settings,
      CountingCopies copies,
      Metadata metadata,
      LocalPorts ports,
      ServerHandshake.Outcome outcome) {
    this.loop = loop;
    this.settings = settings;
    this.metadata = metadata;
    this.ports = ports;
    this.outcome = outcome;
    Duration takeover = leaseLength().plus(leaseLength().dividedBy(4)); // its clock may be slower
    this.takeovers = new Takeovers(System::nanoTime, takeover, ports);
    Joined joined = new Joined();
    this.marks = new Marks(loop, copies, joined);
    this.handshake = new ServerHandshake(loop, marks, takeovers, metadata::whenDurable, joined);
    this.watch = new OwnershipWatch(loop, copies.claim(), settings.connections(), this);
  }

  /** Sets the map of the servers' rings, before the first server is used. */
  public void in(Supplier<ServerMap> map) {
    marks.copies().with(map, () -> all.forEach(marks::noteCopies), this::reaches);
    this.map = map;
    tierLease =
        new TierLease(
            settings.code().parityCount(), System::nanoTime, () -> leftNanosOfRings(map.get()));
  }

  /**
   * Whether so many rings have a lease of each server, so that nobody else can have written to
   * them. The answer holds until the first of these leases ends, whatever becomes of its server.
   */
  public boolean isLeased(int rings) {
    long now = System.nanoTime();
    if (leasedUntilNanos - now > 0) {
      return true;
    }
    List<Long> left =
        leftNanosOfRings(map.get()).stream().sorted(Comparator.reverseOrder()).toList();
    long least = left.size() < rings ? TierLease.DOWN : left.get(rings - 1);
    leasedUntilNanos = least > 0 ? now + least : now;
    return least > 0;
  }

  /** As {@link #isLeased}, of the servers in use now. */
  private boolean reaches(int rings) {
    return leftNanosOfRings(map.get()).stream().filter(left -> left > 0).count() >= rings;
  }

  private Collection<Long> leftNanosOfRings(ServerMap map) {
    Map<Integer, Long> left = new HashMap<>();
    for (ServerLink link : all) {
      if (map.contains(link.id())) {
        long nanos = link.isUsable() ? link.lease().leftNanos() : TierLease.DOWN;
        left.merge(map.ring(link.id()), nanos, Math::min);
      }
    }
    return left.values();
  }

  /** Begins to watch the servers' marks. */
  public void watch() {
    watch.begin();
  }

  @Override
  public Duration leaseLength() {
    return settings.connections().reply().multipliedBy(LEASE_REPLIES);
  }

  @Override
  public boolean isTierOwned() {
    return tierLease == null || tierLease.isHeld();
  }

  /**
   * Renews the lease of a server in use that has shown the own mark; other servers' writes may have
   * waited for enough leases.
   */
  void marked(ServerLink link, long askedNanos) {
    link.renew(askedNanos);
    all.forEach(other -> other.lease().advance());
  }

  /** Whether the mark of a server is being written. */
  boolean isNoting(ServerLink link) {
    return marks.isNoting(link);
  }

  /**
   * Handles a missing mark of a server in use; see {@link MissingMark}.
   *
   * @param wasNoting {@link #isNoting} at the question
   * @param askedNanos time of the question
   */
  void unmarked(ServerLink link, boolean wasNoting, long askedNanos) {
    if (closed || links.get(link.id()) != link) {
      return;
    }
    boolean isLeased = link.lease().isValid();
    switch (MissingMark.of(wasNoting, marks.isNoting(link), marks.hasDropped(link), isLeased)) {
      case OUTDATED, IN_WRITING -> {}
      case DROPPED -> marked(link, askedNanos);
      case EMPTIED -> {
        sayUnmarked(link);
        marks.noteEmptied(link);
      }
      case UNRELIABLE -> {
        sayUnmarked(link);
        link.drop("has lost its mark");
      }
    }
  }

  private void sayUnmarked(ServerLink link) {
    losses++;
    logger.warn("server {} has lost its mark: somebody has emptied it", link);
  }

  /** Number of times that a server was lost, or became stale. */
  public long losses() {
    return losses;
  }

  /**
   * Begins to connect servers.
   *
   * @param stale those that are to be emptied first
   */
  public void connect(Collection<ServerId> servers, Set<ServerId> stale) {
    for (ServerId server : servers) {
      ServerLink link = new ServerLink(server, loop, settings, stale.contains(server), this);
      OldConnections old = new OldConnections(System::nanoTime);
      old.addOrphans(ports.of(server));
      old.addSilent(ports.silent(server));
      handshake.await(link, old);
      link.memory().with(() -> owedItems.apply(link), () -> shortage.run());
      links.put(server, link);
    }
    all = List.copyOf(links.values());
    if (!stale.isEmpty()) {
      noteStale();
    }
  }

  /** Sets the arguments of {@link ServerMemory#with} for each server. */
  public void with(Function<ServerLink, Map<Long, Integer>> owed, Runnable relief) {
    owedItems = owed;
    shortage = relief;
  }

  /** Ends the use of a server that holds nothing that is needed. */
  public void disconnect(ServerId server) {
    ServerLink link = links.remove(server);
    all = List.copyOf(links.values());
    if (link != null) {
      noteStale();
      marks.forget(link);
      handshake.forget(link);
      boolean wasUsed = link.isUsable();
      link.retire();
      if (wasUsed) {
        handshake.release(link, () -> {});
      } else {
        link.connection().abort(); // what it has not sent must not reach the server's next tier
      }
    }
  }

  public @Nullable ServerLink link(ServerId server) {
    return links.get(server);
  }

  public List<ServerLink> all() {
    return all;
  }

  public List<ServerLink> usable() {
    return all.stream().filter(ServerLink::isUsable).toList();
  }

  @Override
  public void connected(ServerLink link) {
    if (isReleased) {
      return;
    }
    try {
      ports.add(link.id(), link.connection().localPort());
    } catch (IOException e) {
      metadata.fail();
      throw new UncheckedIOException(e);
    }
    handshake.begin(link);
  }

  @Override
  public void lost(ServerLink link, ServerLostException why) {
    losses++;
    forgetLease();
    emptied.remove(link);
    marks.copies().forget(link.id());
    try {
      ports.silence(link.id(), link.connection().lostPorts());
    } catch (IOException e) {
      logger.warn("the ports of connections cannot be noted", e); // then they are awaited longer
    }
    if (!closed && links.get(link.id()) == link) {
      logger.warn("{}", why.getMessage(), why.getCause());
    }
  }

  @Override
  public boolean mayMiss(ServerLink link) {
    return closed || links.get(link.id()) != link || outcome.mayMiss(link);
  }

  @Override
  public void becameStale(ServerLink link) {
    losses++;
    forgetLease();
    if (closed || links.get(link.id()) != link) {
      return;
    }
    logger.warn("server {} lacks writes: it will be emptied and restored", link);
    noteStale();
    if (link.connection().isOpen()) {
      long before = link.losses();
      // what the present task records, too, is durable before the server is emptied
      loop.execute(() -> metadata.whenDurable(() -> joinAnew(link, before)));
    }
  }

  /** Unless it was lost meanwhile: its next connection begins anew. */
  private void joinAnew(ServerLink link, long losses) {
    if (links.get(link.id()) == link && link.losses() == losses && link.connection().isOpen()) {
      handshake.begin(link);
    }
  }

  private void forgetLease() {
    if (tierLease != null) {
      tierLease.forget();
    }
  }

  @Override
  public void whenStaleIsDurable(Runnable then) {
    metadata.whenDurableStale(then);
  }

  /**
   * Local ports of the connections to servers, for a proxy that takes over: see {@link LocalPorts}.
   */
  public List<String> connections() {
    return ports.lines();
  }

  /** Marks a server as whole: it has all of its items, or needs none. */
  public void noteWhole(ServerLink link) {
    marks.noteWhole(link);
  }

  /** Marks a server in use as lacking items. */
  public void noteLacking(ServerLink link) {
    marks.noteLacking(link);
  }

  /** Whether the own mark of a server does not prove that its last owner was this site's. */
  public boolean isUnproven(ServerLink link) {
    return takeovers.isUnproven(link.id());
  }

  /** Notes that the shard begins to change the servers' items. */
  public void serve() {
    takeovers.serve();
  }

  /**
   * Ends the use of all servers, and deletes this start's marks on them: nothing was served under
   * them, and they would keep others out.
   *
   * @param done runs then, or after a reply's time
   */
  public void release(Runnable done) {
    isReleased = true;
    watch.end();
    emptied.clear();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (ServerLink link : all) {
      handshake.forget(link);
      link.retire();
      if (link.connection().isOpen()) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        ends.add(end);
        handshake.release(link, () -> end.complete(null));
      }
    }
    CompletableFuture<Void> released =
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    released.thenRun(done);
    loop.schedule(
        () -> released.complete(null),
        settings.connections().reply().toNanos(),
        TimeUnit.NANOSECONDS);
  }

  private void noteStale() {
    Set<ServerId> stale = new TreeSet<>();
    links.values().stream()
        .filter(link -> link.isStale() && !emptied.containsKey(link))
        .map(ServerLink::id)
        .forEach(stale::add);
    metadata.setStaleServers(stale);
  }

  private final class Joined implements ServerHandshake.Outcome, MarkWatcher {
    @Override
    public void ready(ServerLink link, boolean empty) {
      joined(link, empty);
    }

    @Override
    public void refused(ServerLink link, Refusal why) {
      outcome.refused(link, why);
    }

    @Override
    public void unfit(ServerLink link, String why) {
      link.noteUnfit();
      outcome.unfit(link, why);
    }

    @Override
    public boolean mayMiss(ServerLink link) {
      return outcome.mayMiss(link);
    }

    @Override
    public boolean isToBeAdded(ServerLink link) {
      return outcome.isToBeAdded(link);
    }

    @Override
    public void emptied(ServerLink link) {
      if (links.get(link.id()) == link) {
        outcome.emptied(link);
      }
    }

    @Override
    public void whole(ServerLink link) {
      if (links.get(link.id()) == link) {
        outcome.whole(link);
      }
    }
  }

  /** Whether a server has items; not while it is only to be added. */
  boolean isPart(ServerLink link) {
    return map.get().contains(link.id());
  }

  /** Reports that a server in use belongs to another owner now. */
  void overtaken(ServerLink link, Refusal why) {
    if (!closed) {
      outcome.refused(link, why);
    }
  }

  private void joined(ServerLink link, boolean empty) {
    if (link.isStale()) {
      useEmptied(link);
    } else {
      use(link, empty);
    }
  }

  /**
   * Uses an emptied server once that is durable; otherwise a restart would empty it again, with its
   * new items. Until then it may lack further writes, because it has no old items.
   */
  private void useEmptied(ServerLink link) {
    long join = ++joins;
    emptied.put(link, join);
    noteStale();
    metadata.whenDurable(
        () -> {
          boolean isCurrent = Long.valueOf(join).equals(emptied.get(link));
          if (isCurrent && links.get(link.id()) == link && link.connection().isOpen()) {
            use(link, true);
          }
        });
  }

  private void use(ServerLink link, boolean empty) {
    emptied.remove(link);
    link.use();
    boolean isLacking = marks.joined(link) || empty;
    marks.noteCopies(link);
    try {
      ports.keepOnly(link.id(), link.connection().localPort());
    } catch (IOException e) {
      logger.warn("the ports of connections cannot be noted", e); // too many are no harm
    }
    logger.info("server {} has joined{}", link, isLacking ? ", lacking items" : "");
    outcome.ready(link, isLacking);
  }

  public void close() {
    closed = true;
    watch.end();
    all.forEach(ServerLink::close);
  }
}
