package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.WriteLease;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's servers: they are connected, join, are lost and join again; which of them are stale is
 * noted in the metadata before anything is done without them. Belongs to the shard's event loop.
 */
final class ServerTable implements ServerLink.Watcher {
  private static final Logger logger = LoggerFactory.getLogger(ServerTable.class);

  /** A silent server is given up within two reply time-outs: a round ends before the lease. */
  private static final int LEASE_REPLIES = 3;

  private static final int CHECKS_PER_REPLY = 2;

  private final GuardedLoop loop;
  private final CodedSettings settings;
  private final Metadata metadata;
  private final LocalPorts ports;
  private final Joining joining;
  private final Joining.Outcome outcome;
  private final WriteLease lease;
  private final OwnershipWatch watch;
  private final Map<ServerId, ServerLink> links = new LinkedHashMap<>();

  /** The links as they are now: asked for at every write. */
  private List<ServerLink> all = List.of();

  /**
   * Stale ones that were emptied, and have got nothing since: the metadata do not call them stale
   * any more. With the number of their joining.
   */
  private final Map<ServerLink, Long> emptied = new HashMap<>();

  private long joins;
  private ToLongFunction<ServerLink> owedBytes = link -> 0;
  private BooleanSupplier shortage = () -> false;
  private boolean closed;
  private long losses;

  /**
   * @param claim what is written into their marks
   * @param outcome is told of each server that may be used from now on, or never
   */
  ServerTable(
      GuardedLoop loop,
      CodedSettings settings,
      TierClaim claim,
      Metadata metadata,
      LocalPorts ports,
      Joining.Outcome outcome) {
    this.loop = loop;
    this.settings = settings;
    this.metadata = metadata;
    this.ports = ports;
    this.outcome = outcome;
    Duration reply = settings.connections().reply();
    this.lease = new WriteLease(System::nanoTime, reply.multipliedBy(LEASE_REPLIES));
    this.joining = new Joining(loop, settings.shard(), claim, lease.length(), new Joined());
    this.watch =
        new OwnershipWatch(
            loop, settings.shard(), claim, lease, reply.dividedBy(CHECKS_PER_REPLY), this);
  }

  /** Begins to look whether somebody else has taken servers over. */
  void watch() {
    watch.begin();
  }

  @Override
  public WriteLease lease() {
    return lease;
  }

  /** How often one was lost, or began to lack writes. */
  long losses() {
    return losses;
  }

  /**
   * Begins to connect servers.
   *
   * @param stale those that are to be emptied first
   */
  void connect(Collection<ServerId> servers, Set<ServerId> stale) {
    for (ServerId server : servers) {
      ServerLink link = new ServerLink(server, loop, settings, stale.contains(server), this);
      link.connection().addLostPorts(ports.of(server));
      link.memory().with(() -> owedBytes.applyAsLong(link), () -> shortage.getAsBoolean());
      links.put(server, link);
    }
    all = List.copyOf(links.values());
    if (!stale.isEmpty()) {
      noteStale();
    }
  }

  /** Tells what {@link ServerMemory#with} is told of each server. */
  void with(ToLongFunction<ServerLink> owed, BooleanSupplier relief) {
    owedBytes = owed;
    shortage = relief;
  }

  /** Ends the use of a server, which holds nothing that is needed. */
  void disconnect(ServerId server) {
    ServerLink link = links.remove(server);
    all = List.copyOf(links.values());
    if (link != null) {
      noteStale();
      link.retire(OwnKeys.mark(settings.shard()));
    }
  }

  @Nullable ServerLink link(ServerId server) {
    return links.get(server);
  }

  List<ServerLink> all() {
    return all;
  }

  List<ServerLink> usable() {
    return all.stream().filter(ServerLink::isUsable).toList();
  }

  @Override
  public void connected(ServerLink link) {
    try {
      ports.add(link.id(), link.connection().localPort());
    } catch (IOException e) {
      metadata.fail();
      throw new UncheckedIOException(e);
    }
    joining.begin(link);
  }

  @Override
  public void lost(ServerLink link, ServerLostException why) {
    losses++;
    emptied.remove(link);
    if (!closed && links.get(link.id()) == link) {
      logger.warn("{}", why.getMessage(), why.getCause());
    }
  }

  @Override
  public void becameStale(ServerLink link) {
    losses++;
    if (closed || links.get(link.id()) != link) {
      return;
    }
    logger.warn("server {} lacks writes: it will be emptied and restored", link);
    noteStale();
    if (link.connection().isOpen()) {
      joining.begin(link);
    }
  }

  @Override
  public void whenStaleIsDurable(Runnable then) {
    metadata.whenDurableStale(then);
  }

  /** A server has what it should, or there is nothing that it should have. */
  void noteWhole(ServerLink link) {
    joining.noteWhole(link);
  }

  /** A server that is used has lost something of what it should have. */
  void noteLacking(ServerLink link) {
    joining.noteLacking(link);
  }

  private void noteStale() {
    Set<ServerId> stale = new TreeSet<>();
    links.values().stream()
        .filter(link -> link.isStale() && !emptied.containsKey(link))
        .map(ServerLink::id)
        .forEach(stale::add);
    metadata.setStaleServers(stale);
  }

  private final class Joined implements Joining.Outcome {
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
      outcome.unfit(link, why);
    }
  }

  /** A server that is used is another's now. */
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
   * One that was emptied is used once that cannot be forgotten: a restart would empty it again,
   * with what it got since. It may go on lacking writes until then, as it has nothing that is old.
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
    try {
      ports.keepOnly(link.id(), link.connection().localPort());
    } catch (IOException e) {
      logger.warn("the ports of connections cannot be noted", e); // too many are no harm
    }
    logger.info("server {} has joined{}", link, empty ? " without items" : "");
    outcome.ready(link, empty);
  }

  void close() {
    closed = true;
    watch.end();
    all.forEach(ServerLink::close);
  }
}
