package io.counterpart.cache.coded;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ownership.WriteLease;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.ring.ServerId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One server as a shard sees it. The shard uses a server that is connected and complete, that is,
 * has every write that it should have. A server becomes <em>stale</em> as soon as it may lack a
 * write; {@link Joining} makes it usable again. Belongs to the shard's event loop; answers come
 * later or before a call returns.
 */
final class ServerLink {
  private static final String NO_MEMORY = "out of memory";

  /** What memcached says of a long item, whose memory it looks for while it reads the bytes. */
  private static final String NO_MEMORY_IN_READING = "out of memory during read";

  private final ServerId id;
  private final GuardedLoop loop;
  private final Watcher watcher;
  private final ServerConnection connection;
  private final ServerMemory memory;
  private final WriteLease lease;
  private boolean usable;
  private boolean stale;

  /** Whether what leaves through this connection needs the lease: from its first change on. */
  private boolean guarded;

  private boolean closed;
  private boolean retired;
  private long losses;
  private int joins;

  /** Hears of a server's state. */
  interface Watcher {
    /** It can be talked to, but is not usable yet. */
    void connected(ServerLink link);

    /** It is not usable any more. */
    void lost(ServerLink link, ServerLostException why);

    /** It lacks a write, the first one; to be kept in mind before anything is acknowledged. */
    void becameStale(ServerLink link);

    /** Runs something once a restart after a loss of power knows which servers lack writes. */
    void whenStaleIsDurable(Runnable then);

    /** How long a mark that was read allows to write. */
    Duration leaseLength();

    /**
     * Whether no other owner can have begun to use the tier; see {@link
     * io.counterpart.cache.ownership.TierLease}.
     */
    boolean isTierOwned();
  }

  ServerLink(
      ServerId id, GuardedLoop loop, CodedSettings settings, boolean stale, Watcher watcher) {
    this.id = id;
    this.loop = loop;
    this.watcher = watcher;
    this.stale = stale;
    this.lease = new WriteLease(System::nanoTime, watcher.leaseLength(), watcher::isTierOwned);
    this.connection =
        new ServerConnection(
            ServerAddress.parse(id.name()),
            loop.netty(),
            settings.connections(),
            new States(),
            () -> !guarded || lease.isValid());
    this.memory =
        new ServerMemory(
            connection, loop, settings.mostJournalBytesOfServer(), () -> lease.isHeld());
  }

  ServerId id() {
    return id;
  }

  /** Not from the moment on that its connection is lost, though that is told later. */
  boolean isUsable() {
    return usable && connection.isOpen();
  }

  boolean isStale() {
    return stale;
  }

  /** How often the connection was lost. */
  long losses() {
    return losses;
  }

  /** For joining only. */
  ServerConnection connection() {
    return connection;
  }

  /** The lease without which nothing is changed on the server. */
  WriteLease lease() {
    return lease;
  }

  /** The server has shown the own mark to a question of this time. */
  void renew(long askedNanos) {
    lease.renew(askedNanos);
    connection.resume();
  }

  /** Lets nothing more leave through this connection without the lease. */
  void guard() {
    guarded = true;
  }

  /** Whether {@link #guard} was called for the connection that there is. */
  boolean isGuarded() {
    return guarded && connection.isOpen();
  }

  /** Gives the connection up; what its kernel holds is discarded. It is made again. */
  void drop(String why) {
    connection.drop(why);
  }

  /** What it holds may be relied on from now on. */
  void use() {
    guard();
    stale = false;
    usable = true;
    joins++;
  }

  /** How often it became usable: what it held before the last time it may have lost. */
  int joins() {
    return joins;
  }

  /** It lacks, or may lack, a write. */
  void miss() {
    if (!stale && !closed && !retired) {
      stale = true;
      usable = false;
      watcher.becameStale(this);
      lease.giveUp();
    }
  }

  /** It lacks, or may lack, a write, which goes on without it when that cannot be forgotten. */
  void missThen(Runnable then) {
    miss();
    if (closed) {
      return;
    }
    watcher.whenStaleIsDurable(then);
  }

  /**
   * Reads an item.
   *
   * @param done gets the value, to be released once; null if it is not there, or the server is down
   */
  void get(Key key, Consumer<@Nullable ByteBuf> done) {
    if (isUsable()) {
      connection.command(new Read(done)).get(key).value().end();
    } else if (!closed) {
      done.accept(null);
    }
  }

  /** What is known of its memory. */
  ServerMemory memory() {
    return memory;
  }

  /**
   * Writes an item; the bytes are kept until the answer, and sent again while the server can make
   * room for them, each time under the lease. So the caller lets nobody else write under the key
   * until it is told the end. A server that is lost before it has the item is stale.
   */
  void set(Key key, ByteBuf bytes, Consumer<Stored> done) {
    int length = bytes.readableBytes();
    setPadded(key, bytes, () -> length, done);
  }

  /**
   * As {@link #set}, with zeros at the item's end.
   *
   * @param lengthBytes of the item, asked for at each sending
   */
  void setPadded(Key key, ByteBuf bytes, IntSupplier lengthBytes, Consumer<Stored> done) {
    new Set(key, bytes.retainedSlice(), lengthBytes, done).send();
  }

  /**
   * As {@link #set}, of an item whose refusal frees memory that is of no use to it: of another slab
   * class, by dropping the item before. That one is sent again at each refusal, at once, while
   * nobody else has its chunk.
   *
   * @param before on the heap
   * @param done gets {@link Stored#PUT_BACK} if that one is there again
   */
  void replace(Key key, ByteBuf bytes, ByteBuf before, Consumer<Stored> done) {
    int length = bytes.readableBytes();
    Set set = new Set(key, bytes.retainedSlice(), () -> length, done);
    set.before = before;
    set.send();
  }

  /** Runs once when commands are about to leave; see {@link ServerConnection#beforeFlush}. */
  void beforeFlush(Runnable body) {
    connection.beforeFlush(body);
  }

  /** Deletes an item. A server that may still have it afterwards is stale. */
  void delete(Key key, Runnable done) {
    if (needsNoWait()) {
      deleteNow(key, done);
    } else {
      lease.await(() -> deleteNow(key, done));
    }
  }

  /** A server that is not used gets nothing: whoever wants something of it is told at once. */
  private boolean needsNoWait() {
    return !isUsable() || lease.isHeld();
  }

  private void deleteNow(Key key, Runnable done) {
    if (isUsable()) {
      connection.command(new Deletion(done)).delete(key).end();
    } else if (!closed) {
      missThen(done);
    }
  }

  /**
   * Ends the use of a server that holds nothing any more: what is still asked of it is answered as
   * by one that is down, but it lacks nothing by that.
   */
  void retire() {
    retired = true;
    usable = false;
  }

  /** Ends it: what is under way, and what is still asked of it, is never answered. */
  void close() {
    closed = true;
    usable = false;
    connection.abort();
  }

  @Override
  public String toString() {
    return id.name();
  }

  private final class States implements ConnectionListener {
    @Override
    public void connected(ServerConnection opened) {
      guarded = false;
      watcher.connected(ServerLink.this);
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {
      usable = false;
      losses++;
      watcher.lost(ServerLink.this, why);
      lease.giveUp();
    }

    @Override
    public void faulted(ServerConnection with, RuntimeException fault) {
      loop.faulted(fault);
    }
  }

  private final class Read implements ReplyHandler {
    private final Consumer<@Nullable ByteBuf> done;

    Read(Consumer<@Nullable ByteBuf> done) {
      this.done = done;
    }

    @Override
    public void replied(ServerReply reply) {
      done.accept(reply.value());
    }

    @Override
    public void lost(ServerLostException why) {
      if (!closed) {
        done.accept(null);
      }
    }
  }

  /**
   * One item on its way; sent once more, the same way, whenever the server had no memory for it.
   */
  private final class Set implements ReplyHandler {
    private final Key key;
    private final Consumer<Stored> done;
    private final IntSupplier lengthBytes;
    private ByteBuf bytes;

    /** What a refusal of this one drops, if that is to be put back. */
    private @Nullable ByteBuf before;

    /** Whether a refusal ends it. */
    private boolean isSentOnce;

    private boolean isRefused;
    private long refusedNanos;

    /**
     * {@link #joins} when it was refused first: a server that joined since may be another start.
     */
    private int refusedJoins;

    Set(Key key, ByteBuf bytes, IntSupplier lengthBytes, Consumer<Stored> done) {
      this.key = key;
      this.bytes = bytes;
      this.lengthBytes = lengthBytes;
      this.done = done;
    }

    void send() {
      if (closed || needsNoWait()) {
        sendNow();
      } else {
        keepOnHeap();
        lease.await(this::sendNow);
      }
    }

    /** Of what waits for a lease nobody is told if the shard ends: it must not need a release. */
    private void keepOnHeap() {
      ByteBuf pooled = bytes;
      bytes = Unpooled.copiedBuffer(pooled);
      pooled.release();
    }

    private void sendNow() {
      if (isUsable() && !(isRefused && joins != refusedJoins)) {
        ByteBuf item = Padded.to(lengthBytes.getAsInt(), bytes);
        connection.command(this).set(key, item.readableBytes()).end(item);
      } else {
        lose();
      }
    }

    private void lose() {
      bytes.release();
      if (!closed) {
        missThen(() -> done.accept(Stored.LOST));
      }
    }

    /** Told under the lease only: else another owner may have begun without this item. */
    private void confirm(int joinsThen) {
      if (closed || needsNoWait()) {
        end(Stored.DONE);
      } else {
        keepOnHeap();
        lease.await(
            () -> {
              if (isUsable() && joins == joinsThen) {
                end(Stored.DONE);
              } else {
                lose();
              }
            });
      }
    }

    private void end(Stored stored) {
      bytes.release();
      if (!closed) {
        done.accept(stored);
      }
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      String text = reply.text().toLowerCase(Locale.ROOT);
      if (!reply.status().isError()) {
        confirm(joins);
      } else if (text.startsWith(NO_MEMORY_IN_READING)) {
        keepOnHeap();
        delete(key, this::refused); // the server still has the item before
      } else if (text.startsWith(NO_MEMORY)) {
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
      refusedJoins = isRefused ? refusedJoins : joins;
      refusedNanos = isRefused ? refusedNanos : System.nanoTime();
      isRefused = true;
      putBack();
    }

    private void putBack() {
      ByteBuf item = before;
      if (item == null) {
        awaitMemory(Stored.NO_MEMORY);
      } else {
        int length = item.readableBytes();
        Set back = new Set(key, item.retainedSlice(), () -> length, this::wasPutBack);
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
      memory.refused(this::send, () -> end(otherwise), refusedNanos);
    }

    @Override
    public void lost(ServerLostException why) {
      lose();
    }
  }

  private final class Deletion implements ReplyHandler {
    private final Runnable done;

    Deletion(Runnable done) {
      this.done = done;
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      int joinsThen = joins;
      if (closed || needsNoWait()) {
        done.run();
      } else {
        lease.await(() -> confirm(joinsThen));
      }
    }

    /** As an item's is, the end is told under the lease only. */
    private void confirm(int joinsThen) {
      if (isUsable() && joins == joinsThen) {
        done.run();
      } else if (!closed) {
        missThen(done);
      }
    }

    @Override
    public void lost(ServerLostException why) {
      if (!closed) {
        missThen(done);
      }
    }
  }
}
