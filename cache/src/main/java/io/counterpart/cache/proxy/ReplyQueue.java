package io.counterpart.cache.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one client, which go out in the order of its requests, whenever they are known.
 * Those that are known in one turn of the event loop leave in one write. Belongs to that loop.
 */
final class ReplyQueue {
  private static final int FIRST_BUFFER_BYTES = 4 << 10;
  private static final int FLUSH_BYTES = 256 << 10;

  private final Channel channel;
  private final ArrayDeque<Reply> replies = new ArrayDeque<>();
  private @Nullable ByteBuf out;
  private boolean flushScheduled;
  private boolean closed;
  private int resumeBelow;
  private @Nullable Runnable resume;

  ReplyQueue(Channel channel) {
    this.channel = channel;
  }

  /** Writes an answer; what it holds it gives back, written or dropped. */
  interface Answerer {
    void writeTo(ByteBuf out);

    /** Called instead, if the client is gone. */
    default void drop() {}
  }

  /** The place of one answer. */
  final class Reply {
    private @Nullable Answerer answerer;

    /** Puts the answer into its place; once. */
    void answer(Answerer known) {
      if (closed) {
        known.drop();
      } else {
        answerer = known;
        drain();
      }
    }
  }

  /** The next place. */
  Reply next() {
    Reply reply = new Reply();
    replies.add(reply);
    return reply;
  }

  /** Answers that are not known yet, or wait for one that is not. */
  int waiting() {
    return replies.size();
  }

  /** Runs once fewer answers wait than this. */
  void whenFewerThan(int number, Runnable then) {
    resumeBelow = number;
    resume = then;
  }

  /** Runs once all that is asked for so far is answered and handed to the network. */
  void whenSent(Runnable then) {
    next()
        .answer(
            out ->
                channel
                    .eventLoop()
                    .execute(
                        () -> {
                          flush();
                          then.run();
                        }));
  }

  /** Drops what was not sent; the client is gone. */
  void close() {
    closed = true;
    for (Reply reply : replies) {
      if (reply.answerer != null) {
        reply.answerer.drop();
      }
    }
    replies.clear();
    if (out != null) {
      out.release();
      out = null;
    }
  }

  private void drain() {
    for (Reply head = replies.peek();
        head != null && head.answerer != null;
        head = replies.peek()) {
      replies.remove();
      Answerer known = head.answerer;
      known.writeTo(buffer());
    }
    Runnable waiting = resume;
    if (waiting != null && replies.size() < resumeBelow) {
      resume = null;
      // not within the answer that made room
      channel.eventLoop().execute(waiting);
    }
    if (out != null && out.readableBytes() >= FLUSH_BYTES) {
      flush();
    } else if (out != null && !flushScheduled) {
      flushScheduled = true;
      channel.eventLoop().execute(this::scheduledFlush);
    }
  }

  private ByteBuf buffer() {
    ByteBuf buffer = out;
    if (buffer == null) {
      buffer = channel.alloc().directBuffer(FIRST_BUFFER_BYTES);
      out = buffer;
    }
    return buffer;
  }

  private void scheduledFlush() {
    flushScheduled = false;
    flush();
  }

  private void flush() {
    ByteBuf bytes = out;
    if (bytes != null) {
      out = null;
      channel.writeAndFlush(bytes, channel.voidPromise());
    }
  }
}
