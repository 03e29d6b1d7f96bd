package io.counterpart.cache.coded;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.ReplyStatus;
import io.counterpart.cache.protocol.ServerReply;
import io.counterpart.cache.ring.ServerId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
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
  }

  ServerLink(ServerId id, EventLoop loop, CodedSettings settings, boolean stale, Watcher watcher) {
    this.id = id;
    this.watcher = watcher;
    this.stale = stale;
    this.connection =
        new ServerConnection(
            ServerAddress.parse(id.name()), loop, settings.connections(), new States());
    this.memory = new ServerMemory(connection, loop, settings.mostJournalBytesOfServer());
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
   * room for them. So the caller lets nobody else write under the key until it is told the end. A
   * server that is lost before it has the item is stale.
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
    if (isUsable()) {
      connection.command(new Write(stored -> done.run())).delete(key).end();
    } else if (!closed) {
      miss();
      done.run();
    }
  }

  /**
   * Ends the use of a server that holds nothing any more: what is under way, and what is still
   * asked of it, is answered as by one that is down, but it lacks nothing by that.
   */
  void retire() {
    retired = true;
    usable = false;
    connection.close();
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

  private final class Set implements ReplyHandler {
    private final Key key;
    private final ByteBuf bytes;
    private final Consumer<Stored> done;
    private long refusedNanos;
    private boolean isRefused;
    private final int atJoins = joins;

    Set(Key key, ByteBuf bytes, Consumer<Stored> done) {
      this.key = key;
      this.bytes = bytes;
      this.done = done;
    }

    void send() {
      if (isUsable() && joins == atJoins) {
        connection.command(this).set(key, bytes.readableBytes()).end(bytes);
      } else if (closed) {
        bytes.release();
      } else {
        miss();
        end(Stored.LOST);
      }
    }

    private void end(Stored stored) {
      bytes.release();
      done.accept(stored);
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      if (!reply.status().isError()) {
        end(Stored.DONE);
      } else if (reply.text().toLowerCase(Locale.ROOT).startsWith(NO_MEMORY)) {
        refusedNanos = isRefused ? refusedNanos : System.nanoTime();
        isRefused = true;
        memory.refused(this::send, () -> end(Stored.NO_MEMORY), refusedNanos);
      } else {
        end(Stored.NO_MEMORY);
      }
    }

    @Override
    public void lost(ServerLostException why) {
      if (closed) {
        bytes.release();
      } else {
        miss();
        end(Stored.LOST);
      }
    }
  }

  private final class Write implements ReplyHandler {
    private final Consumer<Stored> done;

    Write(Consumer<Stored> done) {
      this.done = done;
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      boolean refused = reply.status() == ReplyStatus.SERVER_ERROR || reply.status().isError();
      done.accept(refused ? Stored.NO_MEMORY : Stored.DONE);
    }

    @Override
    public void lost(ServerLostException why) {
      if (!closed) {
        miss();
        done.accept(Stored.LOST);
      }
    }
  }
}
