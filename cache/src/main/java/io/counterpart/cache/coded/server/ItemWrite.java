package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.item.Padded;
import io.counterpart.cache.coded.item.SlabSizes;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pending write of one item to one server, which is sent again after each refusal for lack of
 * memory, for a bounded time. A refusal drops the previous item under the key. Each sending is
 * under the lease. Belongs to the shard's event loop.
 */
final class ItemWrite implements ReplyHandler {
  private static final String NO_MEMORY = "out of memory";

  /** What memcached says of a long item, whose memory it looks for while it reads the bytes. */
  private static final String NO_MEMORY_IN_READING = "out of memory during read";

  private final ServerLink link;
  private final Key key;
  private final IntSupplier lengthBytes;

  /**
   * Whether a journal item, which replaces none, is to be sent again after a refusal; null if it is
   * none.
   */
  private final @Nullable BooleanSupplier isJournalNeeded;

  /** The previous item, on the heap, if it is to be written back after a refusal. */
  private final @Nullable Padded before;

  private final Consumer<Stored> done;
  private ByteBuf bytes;

  private boolean isDeferred;

  /** Whether one refusal ends the write. */
  private boolean isSentOnce;

  private boolean isRefused;
  private long refusedNanos;

  /** Bytes of memory that the server owes to the item since it was refused. */
  private long owedBytes;

  /** The server's joins at the first refusal: one that has joined since may have restarted. */
  private int refusedJoins;

  private ItemWrite(
      ServerLink link,
      Key key,
      ByteBuf bytes,
      IntSupplier lengthBytes,
      @Nullable BooleanSupplier isJournalNeeded,
      @Nullable Padded before,
      Consumer<Stored> done) {
    this.link = link;
    this.key = key;
    this.bytes = bytes.retainedSlice();
    this.lengthBytes = lengthBytes;
    this.isJournalNeeded = isJournalNeeded;
    this.before = before;
    this.done = done;
  }

  /** See {@link ServerLink#set}. */
  static ItemWrite of(ServerLink link, Key key, Padded item, Consumer<Stored> done) {
    return new ItemWrite(link, key, item.bytes(), item::lengthBytes, null, null, done);
  }

  /** See {@link ServerLink#setJournal}. */
  static ItemWrite ofJournal(
      ServerLink link,
      Key key,
      ByteBuf bytes,
      IntSupplier lengthBytes,
      BooleanSupplier isNeeded,
      Consumer<Stored> done) {
    return new ItemWrite(link, key, bytes, lengthBytes, isNeeded, null, done);
  }

  /** See {@link ServerLink#replace}. */
  static ItemWrite replacing(
      ServerLink link, Key key, Padded item, Padded before, Consumer<Stored> done) {
    return new ItemWrite(link, key, item.bytes(), item::lengthBytes, null, before, done);
  }

  /** Has the item leave with other commands; see {@link ServerConnection#deferredCommand}. */
  ItemWrite deferred() {
    isDeferred = true;
    return this;
  }

  /** Begins. */
  void send() {
    if (link.needsNoWait()) {
      sendNow();
    } else {
      keepOnHeap();
      link.lease().await(this::sendNow);
    }
  }

  /**
   * Copies the bytes to the heap: a write that waits for a lease gets no callback if the shard
   * ends, so it must not hold a pooled buffer.
   */
  private void keepOnHeap() {
    ByteBuf pooled = bytes;
    bytes = Unpooled.copiedBuffer(pooled);
    pooled.release();
  }

  private void sendNow() {
    if (isServerGone()) {
      lose();
    } else {
      int length = lengthBytes.getAsInt();
      command().set(key, length).endPadded(bytes);
    }
  }

  private ServerRequestWriter command() {
    ServerConnection connection = link.connection();
    return isDeferred ? connection.deferredCommand(this) : connection.command(this);
  }

  /** Whether the server is not used, or may have restarted since it refused the item. */
  private boolean isServerGone() {
    return !link.isUsable() || isRefused && link.joins() != refusedJoins;
  }

  @Override
  public void replied(ServerReply reply) {
    reply.release();
    if (reply.status().isError()) {
      failed(reply.text().toLowerCase(Locale.ROOT));
    } else {
      confirm(link.joins());
    }
  }

  @Override
  public void lost(ServerLostException why) {
    lose();
  }

  /** Ends the write under the lease; without it another owner may have begun without this item. */
  private void confirm(int joinsThen) {
    if (link.needsNoWait()) {
      end(Stored.DONE);
    } else {
      keepOnHeap();
      link.lease()
          .await(
              () -> {
                if (link.isUsable() && link.joins() == joinsThen) {
                  end(Stored.DONE);
                } else {
                  lose();
                }
              });
    }
  }

  private void end(Stored stored) {
    release();
    if (!link.isClosed()) {
      done.accept(stored);
    }
  }

  private void lose() {
    release();
    if (!link.isClosed()) {
      link.missThen(() -> done.accept(Stored.LOST));
    }
  }

  private void release() {
    bytes.release();
    if (owedBytes > 0) {
      link.memory().settle(owedBytes);
    }
  }

  private void failed(String why) {
    if (why.startsWith(NO_MEMORY_IN_READING)) {
      keepOnHeap();
      link.delete(key, this::refused); // the server still has the item before
    } else if (why.startsWith(NO_MEMORY)) {
      refused();
    } else {
      end(Stored.NO_MEMORY);
    }
  }

  /** The server has dropped what was under the key. */
  private void refused() {
    if (isSentOnce) {
      end(Stored.NO_MEMORY);
      return;
    }
    if (isRefused) {
      putBack();
      return;
    }
    isRefused = true;
    isDeferred = false; // the chunk that is free now is not to be left to others
    refusedJoins = link.joins();
    refusedNanos = System.nanoTime();
    if (before == null && isJournalNeeded == null) {
      owedBytes = itemBytes();
      link.memory().owe(owedBytes);
      send(); // at once: the chunk of the previous item is free, until somebody takes it
    } else {
      putBack();
    }
  }

  private void putBack() {
    if (before == null) {
      awaitMemory(Stored.NO_MEMORY);
    } else {
      ItemWrite back = of(link, key, before, this::wasPutBack);
      back.isSentOnce = true;
      back.send();
    }
  }

  private void wasPutBack(Stored stored) {
    if (stored == Stored.LOST) {
      lose();
    } else {
      awaitMemory(stored == Stored.DONE ? Stored.PUT_BACK : Stored.NO_MEMORY);
    }
  }

  private void awaitMemory(Stored otherwise) {
    link.memory().refused(() -> sendAgain(otherwise), () -> end(otherwise), refusedNanos);
  }

  /**
   * Sends the item once more, unless the chunk that it would take is owed to another item, or it
   * would only drop the previous item again.
   */
  private void sendAgain(Stored otherwise) {
    if (isJournalNeeded != null && !isJournalNeeded.getAsBoolean()) {
      end(Stored.NO_MEMORY); // the server is not to be emptied for want of it either
    } else if (isServerGone() || mayFit()) {
      send();
    } else if (isJournalNeeded != null || otherwise == Stored.PUT_BACK) {
      awaitMemory(otherwise);
    } else {
      putBack();
    }
  }

  private boolean mayFit() {
    if (isJournalNeeded != null) {
      return link.memory().mayHaveJournal(bytes.readableBytes());
    }
    return before == null || link.memory().mayHave(itemBytes());
  }

  private long itemBytes() {
    return SlabSizes.itemBytes(key.lengthBytes(), lengthBytes.getAsInt());
  }
}
