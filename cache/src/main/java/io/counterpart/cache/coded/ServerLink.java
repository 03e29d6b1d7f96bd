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
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server as a shard uses it. It is used while it is connected and has every write that it
 * should have. One that lacks a write is <em>stale</em>, from the moment on that this is possible:
 * {@link Joining} makes it usable again. Belongs to the shard's event loop; answers come later or
 * before a call returns.
 */
final class ServerLink {
  private static final String NO_MEMORY = "out of memory";

  private final ServerId id;
  private final GuardedLoop loop;
  private final Watcher watcher;
  private final ServerConnection connection;
  private final ServerMemory memory;
  private boolean usable;
  private boolean stale;
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

    /** The lease without which no write leaves. */
    WriteLease lease();
  }

  ServerLink(
      ServerId id, GuardedLoop loop, CodedSettings settings, boolean stale, Watcher watcher) {
    this.id = id;
    this.loop = loop;
    this.watcher = watcher;
    this.stale = stale;
    this.connection =
        new ServerConnection(
            ServerAddress.parse(id.name()), loop.netty(), settings.connections(), new States());
    this.memory =
        new ServerMemory(
            connection, loop, settings.mostJournalBytesOfServer(), () -> watcher.lease().isHeld());
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

  /** What it holds may be relied on from now on. */
  void use() {
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
    new Set(key, bytes.retainedSlice(), done).send();
  }

  /** Runs once when commands are about to leave; see {@link ServerConnection#beforeFlush}. */
  void beforeFlush(Runnable body) {
    connection.beforeFlush(body);
  }

  /** Deletes an item. A server that may still have it afterwards is stale. */
  void delete(Key key, Runnable done) {
    if (watcher.lease().isHeld()) {
      deleteNow(key, done);
    } else {
      watcher.lease().await(() -> deleteNow(key, done));
    }
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
   * by one that is down, but it lacks nothing by that. One that was used loses its mark, and is
   * anybody's then.
   */
  void retire(Key mark) {
    boolean wasUsable = isUsable();
    retired = true;
    usable = false;
    if (wasUsable) {
      connection.command(new Farewell()).delete(mark).end();
    } else {
      connection.close();
    }
  }

  /** Ends it: what is under way, and what is still asked of it, is never answered. */
  void close() {
    closed = true;
    usable = false;
    connection.close();
  }

  @Override
  public String toString() {
    return id.name();
  }

  private final class States implements ConnectionListener {
    @Override
    public void connected(ServerConnection opened) {
      watcher.connected(ServerLink.this);
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {
      usable = false;
      losses++;
      watcher.lost(ServerLink.this, why);
    }

    @Override
    public void faulted(ServerConnection with, RuntimeException fault) {
      loop.faulted(fault);
    }
  }

  private final class Farewell implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      reply.release();
      connection.close();
    }

    @Override
    public void lost(ServerLostException why) {
      connection.close();
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
    private ByteBuf bytes;
    private boolean isRefused;
    private long refusedNanos;

    /**
     * {@link #joins} when it was refused first: a server that joined since may be another start.
     */
    private int refusedJoins;

    Set(Key key, ByteBuf bytes, Consumer<Stored> done) {
      this.key = key;
      this.bytes = bytes;
      this.done = done;
    }

    void send() {
      if (closed || watcher.lease().isHeld()) {
        sendNow();
      } else {
        keepOnHeap();
        watcher.lease().await(this::sendNow);
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
        connection.command(this).set(key, bytes.readableBytes()).end(bytes);
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

    private void end(Stored stored) {
      bytes.release();
      if (!closed) {
        done.accept(stored);
      }
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      if (!reply.status().isError()) {
        end(Stored.DONE);
      } else if (reply.text().toLowerCase(Locale.ROOT).startsWith(NO_MEMORY)) {
        refusedJoins = isRefused ? refusedJoins : joins;
        refusedNanos = isRefused ? refusedNanos : System.nanoTime();
        isRefused = true;
        memory.refused(this::send, () -> end(Stored.NO_MEMORY), refusedNanos);
      } else {
        end(Stored.NO_MEMORY);
      }
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
      done.run();
    }

    @Override
    public void lost(ServerLostException why) {
      if (!closed) {
        missThen(done);
      }
    }
  }
}
