package io.counterpart.cache.coded;

import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  private final EventLoop loop;
  private final CodedSettings settings;
  private final Metadata metadata;
  private final LocalPorts ports;
  private final Joining joining;
  private final Joining.Outcome joined;
  private final Map<ServerId, ServerLink> links = new LinkedHashMap<>();

  /** The links as they are now: asked for at every write. */
  private List<ServerLink> all = List.of();

  private ToLongFunction<ServerLink> owedBytes = link -> 0;
  private Runnable shortage = () -> {};
  private boolean closed;
  private long losses;

  /**
   * @param joined is told of each server that may be used from now on
   */
  ServerTable(
      EventLoop loop,
      CodedSettings settings,
      Metadata metadata,
      LocalPorts ports,
      Joining.Outcome joined) {
    this.loop = loop;
    this.settings = settings;
    this.metadata = metadata;
    this.ports = ports;
    this.joined = joined;
    this.joining = new Joining(loop, settings.shard(), this::joined);
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
      link.memory().with(() -> owedBytes.applyAsLong(link), () -> shortage.run());
      links.put(server, link);
    }
    all = List.copyOf(links.values());
    if (!stale.isEmpty()) {
      noteStale();
    }
  }

  /** Tells what {@link ServerMemory#with} is told of each server. */
  void with(ToLongFunction<ServerLink> owed, Runnable relief) {
    owedBytes = owed;
    shortage = relief;
  }

  /** Ends the use of a server, which holds nothing that is needed. */
  void disconnect(ServerId server) {
    ServerLink link = links.remove(server);
    all = List.copyOf(links.values());
    if (link != null) {
      noteStale();
      link.retire();
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

  /** A server has what it should, or there is nothing that it should have. */
  void noteWhole(ServerLink link) {
    joining.noteWhole(link);
  }

  private void noteStale() {
    Set<ServerId> stale = new TreeSet<>();
    links.values().stream().filter(ServerLink::isStale).map(ServerLink::id).forEach(stale::add);
    metadata.setStaleServers(stale);
  }

  private void joined(ServerLink link, boolean empty) {
    boolean wasStale = link.isStale();
    link.use();
    if (wasStale) {
      noteStale();
    }
    try {
      ports.keepOnly(link.id(), link.connection().localPort());
    } catch (IOException e) {
      logger.warn("the ports of connections cannot be noted", e); // too many are no harm
    }
    logger.info("server {} has joined{}", link, empty ? " without items" : "");
    joined.ready(link, empty);
  }

  void close() {
    closed = true;
    all.forEach(ServerLink::close);
  }
}
