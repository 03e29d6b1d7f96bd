package io.counterpart.cache.proxy;

import io.counterpart.cache.forward.ForwardLimits;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.metadata.copy.CopySource;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Listens for memcached clients, or for followers, and serves them from one tier. Each is served on
 * one of the tier's event loops. Thread-safe.
 */
public final class ProxyServer implements AutoCloseable {
  static final int BACKLOG = 1024;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Files left for servers, store, metadata and operators; a quarter of a small number. */
  private static final int SPARE_FILES = 512;

  private final Channel listener;
  private final ChannelGroup clients;
  private final ProxyStatistics statistics;

  /**
   * An event loop that serves clients.
   *
   * @param tier the tier as this loop reaches it
   * @param memory for the clients' requests; its loop is this one
   * @param others budgets on this loop that no client uses directly
   */
  public record ClientLoop(ObjectTier tier, MemoryBudget memory, List<MemoryBudget> others) {
    Stream<MemoryBudget> budgets() {
      return Stream.concat(Stream.of(memory), others.stream());
    }
  }

  private ProxyServer(Channel listener, ChannelGroup clients, ProxyStatistics statistics) {
    this.listener = listener;
    this.clients = clients;
    this.statistics = statistics;
  }

  /**
   * Begins to listen without TLS or authentication.
   *
   * @param address port 0 for any free one
   * @param loop the tier's
   * @throws IOException if the address cannot be listened on
   */
  public static ProxyServer listen(InetSocketAddress address, EventLoop loop, ObjectTier tier)
      throws IOException {
    MemoryBudget memory = new MemoryBudget(loop, MemoryLimits.ofJvm());
    return listen(address, List.of(new ClientLoop(tier, memory, List.of())), Access.OPEN, () -> "");
  }

  /**
   * Begins to listen.
   *
   * @param address port 0 for any free one
   * @param loops at least one; of several, all that their group has
   * @param role this proxy's role in its tier, for clients' statistics; empty for none
   * @throws IOException if the address cannot be listened on
   */
  public static ProxyServer listen(
      InetSocketAddress address, List<ClientLoop> loops, Access access, Supplier<String> role)
      throws IOException {
    return listen(address, loops, access, role, mostClients(ProcessUsage.mostConnections()));
  }

  /**
   * As {@link #listen(InetSocketAddress, List, Access, Supplier)}.
   *
   * @param mostClients at once; others are turned away
   */
  static ProxyServer listen(
      InetSocketAddress address,
      List<ClientLoop> loops,
      Access access,
      Supplier<String> role,
      long mostClients)
      throws IOException {
    ProxyStatistics statistics =
        new ProxyStatistics(role, loops.stream().flatMap(ClientLoop::budgets).toList());
    Map<EventLoop, Serving> servings = new HashMap<>();
    for (ClientLoop loop : loops) {
      servings.put(loop.memory().loop(), serving(loop.tier(), loop.memory(), statistics));
    }
    EventLoop first = loops.get(0).memory().loop();
    ProxyServer server =
        bind(
            address,
            loops.size() == 1 ? first : Objects.requireNonNull(first.parent()),
            statistics,
            mostClients,
            channel -> {
              Serving serving = Objects.requireNonNull(servings.get(channel.eventLoop()));
              admit(channel, access, statistics);
              channel.pipeline().addLast(new ClientHandler(serving, null));
            });
    statistics.listens(server.address(), access);
    return server;
  }

  private static Serving serving(ObjectTier tier, MemoryBudget memory, ProxyStatistics statistics) {
    return new Serving(tier, statistics, new RequestCosts(tier), memory);
  }

  /**
   * Begins to listen on any port of loopback for proxies that forward to this one, the tier's
   * owner. None of their requests is forwarded again.
   *
   * @param memory for requests; its loop is the tier's
   * @param secret that followers must know
   * @param clockMillis a clock that never goes back
   * @throws IOException if there is no such port
   */
  public static ProxyServer listenToFollowers(
      ObjectTier tier, MemoryBudget memory, OwnershipSecret secret, LongSupplier clockMillis)
      throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return listen(
        any,
        tier,
        memory,
        Access.OPEN,
        new Followers(secret, null, OwnershipSecret.question(), clockMillis));
  }

  /**
   * Begins to listen for proxies on other machines, as {@link #listenToFollowers} does, and gives
   * them the log. They learn the secret when they have shown who they are.
   *
   * @param address with a port
   * @param access the requirements of these proxies
   * @param question by which they ask for the owner
   * @param copies the log
   * @throws IOException if the address cannot be listened on
   */
  public static ProxyServer listenToPeers(
      InetSocketAddress address,
      ObjectTier tier,
      MemoryBudget memory,
      Access access,
      Key question,
      CopySource copies)
      throws IOException {
    LongSupplier clock = () -> System.nanoTime() / NANOS_PER_MILLI;
    return listen(
        address,
        tier,
        memory,
        access,
        new Followers(OwnershipSecret.random(), copies, question, clock));
  }

  private static ProxyServer listen(
      InetSocketAddress address,
      ObjectTier tier,
      MemoryBudget memory,
      Access access,
      Followers followers)
      throws IOException {
    ProxyStatistics statistics = new ProxyStatistics(() -> "", List.of(memory));
    Serving serving = serving(tier, memory, statistics);
    return bind(
        address,
        memory.loop(),
        statistics,
        Long.MAX_VALUE,
        channel -> {
          admit(channel, access, statistics);
          Follower follower = followers.connected();
          channel.pipeline().addLast(new ClientHandler(serving, follower));
          memory
              .loop()
              .schedule(
                  () -> follower.requireGreeting(channel),
                  2 * ForwardLimits.GREETING.toMillis(),
                  TimeUnit.MILLISECONDS);
        });
  }

  /** Number of clients at once in a process that may have so many files open. */
  static long mostClients(long files) {
    return files - Math.min(SPARE_FILES, files / 4);
  }

  private static ProxyServer bind(
      InetSocketAddress address,
      EventLoopGroup loops,
      ProxyStatistics statistics,
      long mostClients,
      Consumer<SocketChannel> connected)
      throws IOException {
    ChannelGroup clients = new DefaultChannelGroup(loops.next());
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // a client whose machine is gone never says so
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (clients.size() >= mostClients) {
                      statistics.counts().add(Count.REJECTED_CONNECTIONS);
                      channel.close(); // with no file left the metadata could not be written
                      return;
                    }
                    clients.add(channel);
                    connected.accept(channel);
                  }
                });
    try {
      return new ProxyServer(bootstrap.bind(address).sync().channel(), clients, statistics);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting to listen on " + address, e);
    } catch (Exception e) {
      // Netty throws what it was given, checked or not
      throw new IOException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  private static void admit(SocketChannel channel, Access access, ProxyStatistics statistics) {
    if (access.tls() != null) {
      channel.pipeline().addLast(access.tls().newHandler(channel.alloc()));
    }
    if (access.credentials() != null) {
      channel.pipeline().addLast(new AuthenticationHandler(access.credentials(), statistics));
    }
  }

  /** The counters of its clients. */
  public ProxyStatistics statistics() {
    return statistics;
  }

  /** The address on which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Closes every client's connection; clients may connect anew. */
  public void closeClients() {
    clients.close();
  }

  /** Stops listening and closes every client's connection. */
  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    clients.close().awaitUninterruptibly();
  }
}
