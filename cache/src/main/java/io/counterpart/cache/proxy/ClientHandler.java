package io.counterpart.cache.proxy;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.RequestDecoder;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: decodes bytes into operations and encodes outcomes as answers. It stops
 * reading while the client sends faster than it gets answers, does not read, or waits for memory.
 * Belongs to its event loop.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {
  private static final Logger logger = LoggerFactory.getLogger(ClientHandler.class);
  private static final int MOST_WAITING = 4096;
  private static final long PRIME = 1_000_003;

  /** Bytes of an unfinished request that a client may always send. */
  private static final int SMALL_BYTES = 16 << 10;

  /** Bytes received at once: other requests may follow the end of a value. */
  private static final int READ_BYTES = 64 << 10;

  /** The least buffer for the beginning of a request. */
  private static final int LEAST_BUFFER_BYTES = 2 << 10;

  private final Serving serving;
  private final @Nullable Follower follower;
  private final RequestDecoder decoder = new RequestDecoder();
  private @Nullable Client client;
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  /** A request that waits for memory, or for the answers before its own. */
  private @Nullable Request waiting;

  /** The keys of a request that are being read. */
  private ClassicCommands.@Nullable Lookup lookup;

  private boolean proceeding;
  private boolean awaitsInput;
  private boolean inputEnded;
  private long receivedParts;
  private long takenRequests;

  /** The state that exists while the connection does. */
  private record Client(
      ChannelHandlerContext context,
      ReplyQueue replies,
      MemoryAccount memory,
      ClientRequests requests) {}

  /**
   * @param follower the state of the client, if it is another proxy; else null
   */
  ClientHandler(Serving serving, @Nullable Follower follower) {
    this.serving = serving;
    this.follower = follower;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    serving.statistics().connected(context.channel());
    MemoryAccount memory = serving.memory().open(new Holder(), follower != null);
    ClientCounts counts = serving.statistics().counts();
    ReplyQueue replies =
        new ReplyQueue(context.channel(), memory, bytes -> counts.add(Count.BYTES_WRITTEN, bytes));
    ClientRequests requests =
        new ClientRequests(
            serving, replies, follower != null, () -> replies.whenSent(context::close));
    client = new Client(context, replies, memory, requests);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    receivedParts++;
    ByteBuf received = (ByteBuf) message;
    serving.statistics().counts().add(Count.BYTES_READ, received.readableBytes());
    unread = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), unread, received);
    proceed();
  }

  /** Takes complete requests, as long as answers keep up and there is memory. */
  private void proceed() {
    Client current = client();
    if (proceeding || !current.context().channel().isOpen()) {
      return;
    }
    proceeding = true;
    boolean goesOn = true;
    while (goesOn && !isFull(current)) {
      goesOn = lookup != null ? readNextKey(current, lookup) : takeNext(current);
    }
    proceeding = false;
    boolean full = isFull(current);
    boolean complete = waiting == null && lookup == null;
    if (complete && !full) {
      keepUnfinished(current);
    } else {
      current.memory().receiving(Math.max(current.memory().inputBytes(), unreadBytes()));
    }
    current.context().channel().config().setAutoRead(complete && !full && !awaitsInput);
    if (full) {
      current.replies().whenFewerThan(MOST_WAITING / 2, this::proceed);
    } else if (inputEnded && complete) {
      inputEnded = false;
      current.replies().whenSent(current.context()::close);
    }
  }

  /** Starts the next request; false if it is incomplete, or waits for memory. */
  private boolean takeNext(Client current) {
    Request request = waiting != null ? waiting : decoder.next(unread);
    if (request == null) {
      return false;
    }
    if (request instanceof Request.Stats && follower == null && current.replies().waiting() > 0) {
      waiting = request; // nothing counts its lines: few bytes could ask for gigabytes behind a get
      current.replies().whenFewerThan(1, this::proceed);
      return false;
    }
    long bytes = serving.memory().workCost(serving.costs().of(request));
    if (!current.memory().take(bytes)) {
      waiting = request;
      current.memory().awaitWork(bytes, this::proceed);
      return false;
    }
    waiting = null;
    takenRequests++;
    current.replies().taken(bytes);
    if (follower == null || follower.admits(request, current.context(), current.replies())) {
      serving.statistics().counts().add(Count.CMD_TOTAL);
      lookup = current.requests().begin(request);
    }
    current.replies().giveBackUnused();
    return true;
  }

  /** Reads one more key; false if that waits for memory. */
  private boolean readNextKey(Client current, ClassicCommands.Lookup keys) {
    Key key = keys.nextKey();
    if (key == null) {
      lookup = null;
      keys.end();
      return true;
    }
    long bytes = serving.memory().workCost(serving.costs().ofRead(key, keys.touches()));
    if (!current.memory().take(bytes)) {
      current.memory().awaitWork(bytes, this::proceed);
      return false;
    }
    current.replies().taken(bytes);
    keys.read();
    return true;
  }

  /**
   * Keeps the beginning of a request. Of a large request no more is received before there is memory
   * for all of it, and then into one buffer of its size: growing would double it.
   */
  private void keepUnfinished(Client current) {
    if (!unread.isReadable()) {
      unread.release();
      unread = Unpooled.EMPTY_BUFFER;
    }
    MemoryAccount memory = current.memory();
    int announced = decoder.unfinishedBytes(unread);
    awaitsInput = false;
    if (announced <= SMALL_BYTES || !decoder.isValueAwaited()) {
      dropWhatWasRead(current);
    }
    if (announced <= SMALL_BYTES || !unread.isReadable()) {
      memory.receiving(unreadBytes());
      return;
    }
    long needed = serving.memory().inputCost(announced);
    memory.receiving(Math.max(memory.inputBytes(), unreadBytes()));
    if (needed > memory.inputBytes() && !memory.receive(needed)) {
      awaitsInput = true;
      memory.awaitInput(needed, this::proceed);
    } else if (decoder.isValueAwaited() && unread.capacity() - unread.readerIndex() < announced) {
      moveUnread(current, announced + READ_BYTES);
    }
  }

  /** Moves a request's beginning out of a much larger buffer, which would grow with each. */
  private void dropWhatWasRead(Client current) {
    int fitting = Math.max(LEAST_BUFFER_BYTES, unread.readableBytes());
    if (unread.capacity() > 2 * fitting) {
      moveUnread(current, fitting);
    }
  }

  /** Moves what is unread into a buffer of another size. */
  private void moveUnread(Client current, int bytes) {
    ByteBuf moved = current.context().alloc().directBuffer(bytes);
    moved.writeBytes(unread);
    unread.release();
    unread = moved;
  }

  /** Memory of the beginning of a request. */
  private int unreadBytes() {
    return unread.isReadable() ? unread.capacity() : 0;
  }

  private static boolean isFull(Client current) {
    return current.replies().waiting() >= MOST_WAITING || !current.context().channel().isWritable();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable() && !context.channel().config().isAutoRead()) {
      proceed();
    }
  }

  /** Handles the end of the client's input: the client may still want its answers. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
      inputEnded = true;
      proceed();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Client current = client();
    serving.statistics().disconnected(context.channel());
    current.replies().close();
    current.memory().close();
    if (follower != null) {
      follower.closed();
    }
    if (waiting != null) {
      waiting.release();
      waiting = null;
    }
    lookup = null;
    unread.release();
    unread = Unpooled.EMPTY_BUFFER;
  }

  /** The client, as the budget sees it. */
  private final class Holder implements MemoryAccount.Holder {
    @Override
    public long progress() {
      return receivedParts * PRIME + client().replies().untakenBytes();
    }

    @Override
    public long requests() {
      return takenRequests;
    }

    @Override
    public boolean isClientsTurn() {
      boolean sendsRest = waiting == null && lookup == null && !awaitsInput && unread.isReadable();
      return sendsRest || client().replies().areUntaken();
    }

    @Override
    public void giveUp(long heldBytes) {
      logger.warn(
          "client {} closed: it takes or sends too little, and others wait for its {} bytes",
          client().context().channel().remoteAddress(),
          heldBytes);
      client().context().close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    FatalErrors.end(cause);
    // not worth a log line: a client that goes away, or does not speak TLS
    if (!(cause instanceof IOException || cause.getCause() instanceof IOException)) {
      logger.error("connection of {} closed", context.channel().remoteAddress(), cause);
    }
    context.close();
  }

  private Client client() {
    return Objects.requireNonNull(client, "not connected yet");
  }
}
