package io.counterpart.cache.backend;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connects to a server and retries until it succeeds. A server that takes connections and closes
 * them soon, as one with too many, is asked no more often than one that takes none. Belongs to its
 * event loop.
 */
final class Reconnection {
  /** Has a resolver for each event loop, which goes with it. */
  private static final NameLookups LOOKUPS = new NameLookups();

  private final ServerAddress server;
  private final EventLoop loop;
  private final ConnectionSettings settings;
  private final Consumer<Channel> opened;
  private final BooleanSupplier maySend;
  private long pauseMillis;
  private long openedNanos;
  private boolean stopped;

  /**
   * @param maySend whether bytes may leave now
   */
  Reconnection(
      ServerAddress server,
      EventLoop loop,
      ConnectionSettings settings,
      Consumer<Channel> opened,
      BooleanSupplier maySend) {
    this.server = server;
    this.loop = loop;
    this.settings = settings;
    this.opened = opened;
    this.maySend = maySend;
    this.pauseMillis = settings.firstRetry().toMillis();
  }

  void start(Supplier<ChannelHandler> handler) {
    attempt(handler);
  }

  /** Connects again: at once, if the last connection was of use for a while. */
  void again(Supplier<ChannelHandler> handler) {
    if (System.nanoTime() - openedNanos > settings.lastRetry().toNanos()) {
      pauseMillis = settings.firstRetry().toMillis();
      attempt(handler);
    } else {
      afterPause(handler);
    }
  }

  private void afterPause(Supplier<ChannelHandler> handler) {
    loop.schedule(() -> attempt(handler), pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(pauseMillis * 2, settings.lastRetry().toMillis());
  }

  void stop() {
    stopped = true;
  }

  private void attempt(Supplier<ChannelHandler> handler) {
    if (stopped) {
      return;
    }
    ChannelFactory<Channel> channels = () -> new GuardedSocketChannel(maySend);
    new Bootstrap()
        .group(loop)
        .channelFactory(channels)
        .resolver(LOOKUPS)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        // a connection that ends is reset: its kernel must not send later what it still holds, as
        // those commands count as lost; nor after a kill, when nobody else closes the connection
        .option(ChannelOption.SO_LINGER, 0)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connect().toMillis())
        .handler(handler.get())
        .connect(server.host(), server.port())
        .addListener((ChannelFuture done) -> ended(done, handler));
  }

  private void ended(ChannelFuture done, Supplier<ChannelHandler> handler) {
    if (done.isSuccess()) {
      openedNanos = System.nanoTime();
      try {
        opened.accept(done.channel());
      } catch (Error failure) {
        FatalErrors.end(failure);
        throw failure;
      }
    } else if (!stopped) {
      afterPause(handler);
    }
  }
}
