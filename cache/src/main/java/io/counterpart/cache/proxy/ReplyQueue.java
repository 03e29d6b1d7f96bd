package io.counterpart.cache.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one client, sent in the order of its requests as they become known. Answers that
 * become known in one turn of the event loop leave in one write. Each answer holds the memory of
 * its request until its bytes have left. Belongs to the event loop.
 */
final class ReplyQueue {
  private static final int FIRST_BUFFER_BYTES = 4 << 10;
  private static final int FLUSH_BYTES = 256 << 10;
  private static final int LINE_BYTES = 512;

  private final Channel channel;
  private final MemoryAccount memory;
  private final LongConsumer sent;
  private final ArrayDeque<Reply> replies = new ArrayDeque<>();
  private @Nullable ByteBuf out;
  private long outBytes;
  private long takenBytes;
  private boolean draining;
  private boolean flushScheduled;
  private boolean closed;
  private int resumeBelow;
  private @Nullable Runnable resume;

  /**
   * @param sent gets the number of bytes that leave
   */
  ReplyQueue(Channel channel, MemoryAccount memory, LongConsumer sent) {
    this.channel = channel;
    this.memory = memory;
    this.sent = sent;
  }

  /** Writes one answer, and releases its resources when it is written or dropped. */
  interface Answerer {
    void writeTo(ByteBuf out);

    /** Drops the answer, because the client is gone. */
    default void drop() {}

    /** Length of the value in the answer; 0 if there is none. */
    default int lengthBytes() {
      return 0;
    }

    /** An equal answer that holds only its own bytes, because it has to wait; replaces this one. */
    default Answerer kept() {
      return this;
    }

    /** The answer to give when there is no memory for this one, which is dropped. */
    default Answerer withoutMemory() {
      return this;
    }
  }

  /** The place of one answer. */
  final class Reply {
    private long heldBytes = takenBytes;
    private @Nullable Answerer answerer;

    /** Sets the answer of this place; called once. */
    void answer(Answerer known) {
      if (closed) {
        known.drop();
        hold(0);
        return;
      }
      long needed = RequestCosts.OVERHEAD_BYTES + (long) known.lengthBytes();
      if (memory.mayGrow(needed - heldBytes)) {
        answerer = replies.peek() == this ? known : known.kept();
      } else {
        known.drop();
        answerer = known.withoutMemory();
        needed = RequestCosts.OVERHEAD_BYTES;
      }
      hold(needed);
      drain();
    }

    private void hold(long bytes) {
      memory.change(bytes - heldBytes);
      heldBytes = bytes;
    }
  }

  /** Sets the memory that was taken for the next place. */
  void taken(long bytes) {
    takenBytes = bytes;
  }

  /** The next place. */
  Reply next() {
    Reply reply = new Reply();
    takenBytes = 0;
    replies.add(reply);
    return reply;
  }

  /** Gives back the taken memory, if no place has used it. */
  void giveBackUnused() {
    memory.change(-takenBytes);
    takenBytes = 0;
  }

  /** Number of answers that are unknown, or wait for an unknown one. */
  int waiting() {
    return replies.size();
  }

  /** Runs a callback once fewer answers wait than this. */
  void whenFewerThan(int number, Runnable then) {
    resumeBelow = number;
    resume = then;
  }

  /** Runs a callback once all answers so far are known and the kernel has them. */
  void whenSent(Runnable then) {
    next()
        .answer(
            out ->
                channel
                    .eventLoop()
                    .execute(
                        () -> {
                          flush();
                          // closing would drop what still waits for the socket
                          channel
                              .writeAndFlush(Unpooled.EMPTY_BUFFER)
                              .addListener(written -> then.run());
                        }));
  }

  /** Drops unsent answers; the client is gone. */
  void close() {
    closed = true;
    for (Reply reply : replies) {
      if (reply.answerer != null) {
        reply.answerer.drop();
        reply.hold(0);
      }
    }
    replies.clear();
    if (out != null) {
      out.release();
      out = null;
      memory.change(-outBytes);
      outBytes = 0;
    }
  }

  private void drain() {
    if (draining) {
      return; // a write has resumed the client: answers from now on come after it
    }
    draining = true;
    writeKnown();
    draining = false;
    Runnable waiting = resume;
    if (waiting != null && replies.size() < resumeBelow) {
      resume = null;
      // not within the call that made room
      channel.eventLoop().execute(waiting);
    }
    if (out != null && out.readableBytes() >= FLUSH_BYTES) {
      flush();
    } else if (out != null && !flushScheduled) {
      flushScheduled = true;
      channel.eventLoop().execute(this::scheduledFlush);
    }
  }

  private void writeKnown() {
    for (Reply head = replies.peek();
        head != null && head.answerer != null;
        head = replies.peek()) {
      replies.remove();
      Answerer known = head.answerer;
      ByteBuf buffer = buffer(known.lengthBytes());
      int before = buffer.readableBytes();
      known.writeTo(buffer);
      head.hold(buffer.readableBytes() - before);
      outBytes += head.heldBytes;
    }
  }

  /**
   * A buffer for a line and a value. A value that does not fit gets its own buffer: growing
   * doubles.
   */
  private ByteBuf buffer(int valueBytes) {
    int needed = LINE_BYTES + valueBytes;
    ByteBuf buffer = out;
    if (buffer != null && buffer.readableBytes() + needed > FLUSH_BYTES) {
      flush();
      buffer = null;
    }
    if (buffer == null) {
      buffer = channel.alloc().directBuffer(Math.max(FIRST_BUFFER_BYTES, needed));
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
      long leaving = outBytes;
      outBytes = 0;
      sent.accept(bytes.readableBytes());
      channel.writeAndFlush(bytes).addListener(done -> memory.change(-leaving));
    }
  }

  /** Bytes of answers that are sent and that the client has not taken yet. */
  long untakenBytes() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  /** Whether the client has yet to take what was sent. */
  boolean areUntaken() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer != null && !buffer.isEmpty();
  }
}
