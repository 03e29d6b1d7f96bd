package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.MalformedReplyException;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerReplyDecoder;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a memcached server, with pipelined commands and answers in order. A lost
 * connection is opened again until the connection is closed. The commands of one turn of the event
 * loop leave in one write. While answers are outstanding, further commands wait and leave together:
 * the server executes them in order anyway, and most of the cost of a command is waking the other
 * side. Belongs to its event loop; call it only there.
 */
public final class ServerConnection implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ServerConnection.class);

  // larger than any item of memcached's default -I with its header
  private static final int MAX_VALUE_BYTES = 4 << 20;
  private static final int FIRST_BUFFER_BYTES = 16 << 10;
  private static final int FLUSH_BYTES = 256 << 10;

  /** Bytes of waiting commands above which they leave although answers are outstanding. */
  private static final int WAITING_BYTES = 32 << 10;

  /** Time after which deferred commands leave without others. */
  private static final long DEFER_MICROS = 1000;

  private static final int CHECKS_PER_TIMEOUT = 4;

  private final ServerAddress server;
  private final EventLoop loop;
  private final ConnectionSettings settings;
  private final ConnectionListener listener;
  private final ConnectionSecurity security;
  private final Reconnection reconnection;
  private final ArrayDeque<ReplyHandler> pending = new ArrayDeque<>();

  private @Nullable Channel channel;
  private @Nullable ByteBuf out;
  private @Nullable ServerRequestWriter writer;

  /** Whether commands were passed to the channel that have not left. */
  private boolean isPassed;

  private boolean flushScheduled;
  private boolean deferScheduled;

  /** Whether a command waits that is not deferred, or that has waited long enough. */
  private boolean isDue;

  /** Callbacks that add their commands when others are about to leave. */
  private List<Runnable> beforeFlush = new ArrayList<>();

  /** Commands that have left and have no answer yet. */
  private int unanswered;

  private long lastProgressNanos;
  private long checkedProgressNanos;
  private int quietChecks;
  private boolean closed;
  private ServerLostException lastLoss;
  private final Set<Integer> lostPorts = new HashSet<>();

  /** A connection that starts connecting now. */
  public ServerConnection(
      ServerAddress server,
      EventLoop loop,
      ConnectionSettings settings,
      ConnectionListener listener) {
    this(server, loop, settings, listener, () -> true, ConnectionSecurity.NONE);
  }

  /**
   * A connection that starts connecting now.
   *
   * @param maySend whether bytes may leave now; {@link #resume} sends the bytes held back meanwhile
   * @param security how it shows who it is
   */
  public ServerConnection(
      ServerAddress server,
      EventLoop loop,
      ConnectionSettings settings,
      ConnectionListener listener,
      BooleanSupplier maySend,
      ConnectionSecurity security) {
    this.server = server;
    this.loop = loop;
    this.settings = settings;
    this.listener = listener;
    this.security = security;
    lastLoss = new ServerLostException(server, "is not connected yet", null);
    reconnection = new Reconnection(server, loop, settings, this::opened, maySend);
    reconnection.start(this::handler);
    long check = settings.reply().toNanos() / CHECKS_PER_TIMEOUT;
    loop.schedule(this::checkProgress, check, TimeUnit.NANOSECONDS);
  }

  /** Whether commands can be sent now. */
  public boolean isOpen() {
    return channel != null;
  }

  /** Fails a handler with the reason of the last loss. */
  public void refuse(ReplyHandler handler) {
    handler.lost(lastLoss);
  }

  /**
   * Local ports of the connections lost since {@link #forgetLostPorts}. The server may still
   * execute commands that it got through them, until it no longer lists them.
   */
  public Set<Integer> lostPorts() {
    return Set.copyOf(lostPorts);
  }

  /** Local port of the connection; 0 if there is none. */
  public int localPort() {
    return channel != null && channel.localAddress() instanceof InetSocketAddress local
        ? local.getPort()
        : 0;
  }

  /** Empties {@link #lostPorts}. */
  public void forgetLostPorts() {
    lostPorts.clear();
  }

  /** Number of commands without an answer yet. */
  public int pending() {
    return pending.size();
  }

  /**
   * Begins one command that the server answers exactly once (no quiet one), or one with an answer
   * of several parts, such as {@code stats}, whose handler gets every part. The caller writes and
   * ends the command before it does anything else.
   *
   * @throws IllegalStateException if the connection is not open: ask {@link #isOpen} first
   */
  public ServerRequestWriter command(ReplyHandler handler) {
    ServerRequestWriter begun = begin(handler);
    isDue = true;
    scheduleFlush();
    return begun;
  }

  /**
   * As {@link #command}, for a command whose answer can wait: it leaves with the next one that is
   * not deferred, or after a millisecond.
   */
  public ServerRequestWriter deferredCommand(ReplyHandler handler) {
    if (out != null && out.readableBytes() >= WAITING_BYTES) {
      return command(handler);
    }
    ServerRequestWriter begun = begin(handler);
    if (!isDue && !deferScheduled) {
      deferScheduled = true;
      loop.schedule(this::endDefer, DEFER_MICROS, TimeUnit.MICROSECONDS);
    }
    return begun;
  }

  private void endDefer() {
    deferScheduled = false;
    if (out != null) {
      isDue = true;
      scheduleFlush();
    }
  }

  private ServerRequestWriter begin(ReplyHandler handler) {
    Channel open = channel;
    if (open == null) {
      throw new IllegalStateException("not connected to " + server);
    }
    ServerRequestWriter current = writer;
    if (current == null) {
      ByteBuf buffer = open.alloc().directBuffer(FIRST_BUFFER_BYTES);
      current = new ServerRequestWriter(buffer);
      out = buffer;
      writer = current;
    } else if (out != null && out.readableBytes() >= FLUSH_BYTES) {
      pass(); // no system call: one that fails would lose the connection under the caller
      return begin(handler);
    }
    if (pending.isEmpty()) {
      lastProgressNanos = System.nanoTime();
    }
    pending.add(handler);
    return current;
  }

  /**
   * Runs once when commands are about to leave, so that a command which collects entries until then
   * can leave with them. The connection may be closed by then.
   */
  public void beforeFlush(Runnable body) {
    beforeFlush.add(body);
    scheduleFlush();
  }

  private void scheduleFlush() {
    if (!flushScheduled) {
      flushScheduled = true;
      loop.execute(this::scheduledFlush);
    }
  }

  private void scheduledFlush() {
    flushScheduled = false;
    if (unanswered == 0 || isPassed || out != null && out.readableBytes() >= WAITING_BYTES) {
      guard(this::runBeforeFlush);
      flush();
    }
  }

  private void runBeforeFlush() {
    if (!beforeFlush.isEmpty()) {
      List<Runnable> bodies = beforeFlush;
      beforeFlush = new ArrayList<>();
      bodies.forEach(Runnable::run);
    }
  }

  private void flush() {
    pass();
    isDue = false;
    boolean leaves = isPassed;
    isPassed = false;
    Channel open = channel;
    if (leaves && open != null) {
      unanswered = pending.size();
      open.flush();
    }
  }

  /** Passes the commands to the channel; they leave with the next {@link #flush}. */
  private void pass() {
    ByteBuf bytes = out;
    out = null;
    writer = null;
    if (bytes == null) {
      return;
    }
    Channel open = channel;
    if (open == null) {
      bytes.release();
    } else {
      isPassed = true;
      open.write(bytes, open.voidPromise());
    }
  }

  private ChannelHandler handler() {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel made) {
        security.secure(made);
        made.pipeline().addLast(new Replies());
      }
    };
  }

  private void opened(Channel open) {
    if (closed) {
      open.close();
      return;
    }
    channel = open;
    guard(() -> listener.connected(this));
  }

  /**
   * Gives up a server that makes no progress over several checks. The loop reads everything that
   * has arrived between two checks. So a pause of this process, after which answers may be unread,
   * gives no server up.
   */
  private void checkProgress() {
    if (closed) {
      return;
    }
    quietChecks = lastProgressNanos == checkedProgressNanos ? quietChecks + 1 : 0;
    checkedProgressNanos = lastProgressNanos;
    long quietNanos = System.nanoTime() - lastProgressNanos;
    if (!pending.isEmpty()
        && quietChecks >= CHECKS_PER_TIMEOUT
        && quietNanos > settings.reply().toNanos()) {
      lose("has not answered for " + settings.reply().toMillis() + " ms", null);
    }
    loop.schedule(
        this::checkProgress, settings.reply().toNanos() / CHECKS_PER_TIMEOUT, TimeUnit.NANOSECONDS);
  }

  private void lose(String what, @Nullable Throwable cause) {
    Channel lost = channel;
    if (lost == null) {
      return;
    }
    channel = null;
    if (lost.localAddress() instanceof InetSocketAddress local) {
      lostPorts.add(local.getPort());
    }
    lost.close();
    flush();
    unanswered = 0;
    if (!beforeFlush.isEmpty()) {
      scheduleFlush();
    }
    ServerLostException why = new ServerLostException(server, what, cause);
    lastLoss = why;
    // handlers may send again: only commands pending until now are lost
    for (int left = pending.size(); left > 0; left--) {
      ReplyHandler handler = pending.remove();
      guard(() -> handler.lost(why));
    }
    guard(() -> listener.lost(this, why));
    if (!closed) {
      reconnection.again(this::handler);
    }
  }

  /** Lets the listener decide what an exception of a handler ends. */
  private void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException fault) {
      faulted(fault);
    }
  }

  private void faulted(RuntimeException fault) {
    logger.error("an answer of {} could not be taken", server, fault);
    listener.faulted(this, fault);
  }

  /** Sends the bytes that were held back, if they may leave now. */
  public void resume() {
    if (channel != null) {
      channel.flush();
    }
  }

  /** Drops the connection and its unsent bytes, and reconnects. */
  public void drop(String why) {
    lose(why, null);
  }

  /**
   * Closes the connection for good, after what has left this process; pending handlers are told
   * that the server is lost.
   */
  @Override
  public void close() {
    if (channel != null) {
      sendAtClose(channel);
    }
    abort();
  }

  /** Has the kernel send what it still holds, where {@link Reconnection} has it discard that. */
  private static void sendAtClose(Channel open) {
    try {
      open.config().setOption(ChannelOption.SO_LINGER, -1);
    } catch (ChannelException e) {
      logger.debug("the server has closed the connection first", e);
    }
  }

  /** As {@link #close}, but discards the bytes that have not left the machine yet. */
  public void abort() {
    closed = true;
    lose("is no longer used", null);
    reconnection.stop();
  }

  /** Reads the bytes of one channel. */
  private final class Replies extends ChannelInboundHandlerAdapter {
    private final ServerReplyDecoder decoder = new ServerReplyDecoder(MAX_VALUE_BYTES);
    private @Nullable ByteBuf unread;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      if (context.channel() != channel) {
        bytes.release();
        return;
      }
      ByteBuf before = unread;
      ByteBuf all =
          before == null
              ? bytes
              : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), before, bytes);
      unread = all;
      lastProgressNanos = System.nanoTime();
      try {
        for (ServerReply reply = decoder.next(all); reply != null; reply = decoder.next(all)) {
          take(reply);
        }
      } catch (MalformedReplyException e) {
        lose("answers nonsense: " + e.getMessage(), e);
      }
      if (!all.isReadable()) {
        all.release();
        unread = null;
      } else if (all.refCnt() == 1) {
        all.discardSomeReadBytes(); // it would grow with each read that ends within an answer
      }
      if (isDue || !beforeFlush.isEmpty()) {
        scheduleFlush();
      }
    }

    private void take(ServerReply reply) {
      boolean isPart = reply.status().isPart();
      ReplyHandler handler = isPart ? pending.peek() : pending.poll();
      if (handler == null) {
        reply.release();
        lose("answers what nobody asked: " + reply.status(), null);
      } else {
        unanswered -= isPart ? 0 : 1;
        try {
          handler.replied(reply);
        } catch (RuntimeException fault) {
          faulted(fault);
        }
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (unread != null) {
        unread.release();
        unread = null;
      }
      if (context.channel() == channel) {
        lose("closed the connection", null);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      FatalErrors.end(cause);
      if (context.channel() == channel) {
        lose("cannot be read: " + cause.getMessage(), cause);
      }
    }
  }
}
