package io.counterpart.lab.tier.arm;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.objects.CodedObjectTier;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.vanilla.VanillaTier;
import io.counterpart.memcached.MemcachedSpec;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A tier in this JVM with its proxy on 127.0.0.1, both on one separate event loop. Thread-safe. */
public final class TierUnderTest implements AutoCloseable {
  private static final LongSupplier CLOCK = () -> System.currentTimeMillis() / 1000;
  private static final int OPEN_SECONDS = 30;
  private static final int SHUTDOWN_SECONDS = 2;

  // as the proxy of the command line has it
  private static final int VANILLA_NODES = 160;
  private static final long VANILLA_SEED = 1;

  private final EventLoopGroup loops =
      new NioEventLoopGroup(1, new DefaultThreadFactory("lab-tier"));
  private final EventLoop loop = loops.next();
  private final Map<ServerId, ServerConnection> connections = new HashMap<>();
  private @Nullable CodedShard shard;
  private @Nullable ProxyServer proxy;

  private TierUnderTest() {}

  /**
   * Opens a tier without a coded shard.
   *
   * @throws IOException if a server is not reached
   */
  static TierUnderTest vanilla(List<ServerAddress> servers) throws IOException {
    TierUnderTest tier = new TierUnderTest();
    return tier.opening(() -> tier.openVanilla(servers));
  }

  /**
   * Opens a tier of one new shard.
   *
   * @throws IOException if it cannot be opened
   */
  static TierUnderTest coded(CodedScheme scheme, CodedSettings settings) throws IOException {
    TierUnderTest tier = new TierUnderTest();
    return tier.opening(
        () -> {
          CodedShard opened =
              await(
                  CodedShard.open(
                      scheme,
                      settings,
                      CodingLibrary.load(),
                      tier.loop,
                      CLOCK,
                      new CompletableFuture<>()));
          tier.shard = opened;
          return new CodedObjectTier(opened, tier.loop, CLOCK);
        });
  }

  /** A way to open a tier. */
  @FunctionalInterface
  private interface Opening {
    ObjectTier open() throws IOException;
  }

  private TierUnderTest opening(Opening opening) throws IOException {
    try {
      InetSocketAddress anyPort = new InetSocketAddress(MemcachedSpec.ADDRESS, 0);
      proxy = ProxyServer.listen(anyPort, loop, opening.open());
      return this;
    } catch (IOException | RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  private ObjectTier openVanilla(List<ServerAddress> servers) throws IOException {
    CompletableFuture<?>[] connected =
        servers.stream().map(this::connect).toArray(CompletableFuture<?>[]::new);
    await(CompletableFuture.allOf(connected));
    return onLoop(
        done ->
            done.complete(
                new VanillaTier(
                    HashRing.of(connections.keySet(), VANILLA_NODES, VANILLA_SEED), connections)));
  }

  private CompletableFuture<Void> connect(ServerAddress server) {
    CompletableFuture<Void> connected = new CompletableFuture<>();
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void connected(ServerConnection connection) {
            connected.complete(null);
          }

          @Override
          public void lost(ServerConnection connection, ServerLostException why) {}
        };
    loop.execute(
        () ->
            connections.put(
                new ServerId(server.toString()),
                new ServerConnection(server, loop, ConnectionSettings.DEFAULT, listener)));
    return connected;
  }

  /** The event loop of tier and proxy. */
  public EventLoop loop() {
    return loop;
  }

  /** The address of the proxy for clients. */
  InetSocketAddress address() {
    if (proxy == null) {
      throw new IllegalStateException("the proxy does not listen");
    }
    return proxy.address();
  }

  /**
   * The coded shard; it belongs to {@link #loop}.
   *
   * @throws IllegalStateException if the tier has none
   */
  public CodedShard shard() {
    if (shard == null) {
      throw new IllegalStateException("a tier without redundancy has no coded shard");
    }
    return shard;
  }

  boolean isCoded() {
    return shard != null;
  }

  /** Runs a body on the event loop and waits until its future completes. */
  public <T> T onLoop(Consumer<CompletableFuture<T>> body) throws IOException {
    return await(begin(body));
  }

  /** Starts a body on the event loop. */
  public <T> CompletableFuture<T> begin(Consumer<CompletableFuture<T>> body) {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            body.accept(done);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  /** Folds all journals. */
  public void fold() throws IOException {
    if (isCoded()) {
      Boolean folded = this.<Boolean>onLoop(done -> shard().fold(() -> done.complete(true)));
      if (!folded) {
        throw new IllegalStateException("journals were not folded");
      }
    }
  }

  /**
   * Waits for the event loop, at most {@link #OPEN_SECONDS} unless the work is known to take
   * longer.
   */
  public static <T> T await(CompletableFuture<T> future) throws IOException {
    return await(future, OPEN_SECONDS);
  }

  public static <T> T await(CompletableFuture<T> future, int seconds) throws IOException {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("the tier failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException("the tier did not do in " + seconds + " s what it was asked for", e);
    }
  }

  @Override
  public void close() {
    if (proxy != null) {
      proxy.close();
    }
    loop.submit(
            () -> {
              if (shard != null) {
                shard.close();
              }
              connections.values().forEach(ServerConnection::close);
            })
        .awaitUninterruptibly();
    loops.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
