package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.item.Padded;
import io.counterpart.cache.coded.item.ServerMemory;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.ownership.WriteLease;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.ring.ServerId;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One server as a shard sees it. The shard uses a server that is connected and complete, that is,
 * has every write that it should have. A server becomes <em>stale</em> as soon as it may lack a
 * write; {@link ServerHandshake} makes it usable again. Belongs to the shard's event loop; answers
 * come later or before a call returns.
 */
public final class ServerLink {
  private final ServerId id;
  private final GuardedLoop loop;
  private final Watcher watcher;
  private final ServerConnection connection;
  private final ServerMemory memory;
  private final WriteLease lease;
  private boolean usable;
  private boolean stale;

  /** Whether its options forbid its use, until it is started anew. */
  private boolean unfit;

  /** Whether bytes need the lease to leave through this connection: from its first change on. */
  private boolean guarded;

  private boolean closed;
  private boolean retired;
  private long losses;
  private int joins;

  /** Observes a server's state. */
  public interface Watcher {
    /** The server is connected, but not usable yet. */
    void connected(ServerLink link);

    /** The server is no longer usable. */
    void lost(ServerLink link, ServerLostException why);

    /**
     * The server lacks its first write. The watcher records that before anything is acknowledged.
     */
    void becameStale(ServerLink link);

    /**
     * Whether the tier can go on without a write that a server may lack. If not, the shard ends
     * before anything else happens to that write, as in a crash.
     */
    boolean mayMiss(ServerLink link);

    /** Runs a callback once the record of stale servers survives a loss of power. */
    void whenStaleIsDurable(Runnable then);

    /** Time for which a mark that was read permits writes. */
    Duration leaseLength();

    /**
     * Whether no other owner can have begun to use the tier; see {@link
     * io.counterpart.cache.ownership.TierLease}.
     */
    boolean isTierOwned();
  }

  public ServerLink(
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
            () -> !guarded || lease.isValid(),
            ConnectionSecurity.NONE);
    this.memory =
        new ServerMemory(
            connection, loop, settings.mostJournalBytesOfServer(), () -> lease.isHeld());
  }

  public ServerId id() {
    return id;
  }

  /**
   * Whether the server is usable. False as soon as its connection is lost, though the loss is
   * reported later.
   */
  public boolean isUsable() {
    return usable && connection.isOpen();
  }

  public boolean isStale() {
    return stale;
  }

  /** Whether it can be reached, and may become usable without being started anew. */
  public boolean isToBeAwaited() {
    return connection.isOpen() && !unfit;
  }

  void noteUnfit() {
    unfit = true;
  }

  /** Whether the server is out of reach, and may come back with the items that it had. */
  public boolean isAway() {
    return !isUsable() && !stale;
  }

  /** Number of times that the connection was lost. */
  public long losses() {
    return losses;
  }

  /** For joining and {@link ItemWrite} only. */
  public ServerConnection connection() {
    return connection;
  }

  /** The lease that every change on the server needs. */
  public WriteLease lease() {
    return lease;
  }

  /** Renews the lease: the server has shown the own mark to a question of this time. */
  public void renew(long askedNanos) {
    lease.renew(askedNanos);
    connection.resume();
  }

  /** Requires the lease for everything that leaves through this connection from now on. */
  void guard() {
    guarded = true;
  }

  /** Whether {@link #guard} was called for the present connection. */
  boolean isGuarded() {
    return guarded && connection.isOpen();
  }

  /** Drops the connection, with everything that its kernel holds, and reconnects. */
  public void drop(String why) {
    connection.drop(why);
  }

  /** Makes the server usable: its items may be relied on from now on. */
  public void use() {
    guard();
    stale = false;
    usable = true;
    joins++;
  }

  /**
   * Number of times that the server became usable; before the last time it may have lost its items.
   */
  public int joins() {
    return joins;
  }

  /** Notes that the server lacks a write, or may lack one. */
  public void miss() {
    if (!stale && !closed && !retired) {
      stale = true;
      usable = false;
      watcher.becameStale(this);
      lease.giveUp();
    }
  }

  /**
   * As {@link #miss}; the write goes on without the server once that is durable. It does not if too
   * much would be lost with the server's items: the shard ends then.
   */
  public void missThen(Runnable then) {
    if (closed || !stale && !retired && !watcher.mayMiss(this)) {
      return;
    }
    miss();
    watcher.whenStaleIsDurable(then);
  }

  /**
   * Reads an item.
   *
   * @param done gets the value, to be released once; null if it is missing, or the server is down
   */
  public void get(Key key, Consumer<@Nullable ByteBuf> done) {
    if (isUsable()) {
      connection.command(new Read(done)).get(key).value().end();
    } else if (!closed) {
      done.accept(null);
    }
  }

  /** The known state of the server's memory. */
  public ServerMemory memory() {
    return memory;
  }

  /**
   * Writes an item. The bytes are kept until the answer, and sent again while the server can make
   * room for them, each time under the lease. So nothing else may be written under the key until
   * {@code done} is called. A server that is lost before it has the item is stale.
   */
  public void set(Key key, Padded item, Consumer<Stored> done) {
    ItemWrite.of(this, key, item, done).send();
  }

  /** As {@link #set}, together with other commands that follow soon: nobody waits for it. */
  void setSoon(Key key, Padded item, Consumer<Stored> done) {
    ItemWrite.of(this, key, item, done).deferred().send();
  }

  /**
   * Writes a journal item as {@link #set}, with zeros at its end.
   *
   * @param lengthBytes of the item, requested at each sending
   * @param isNeeded whether the item is to be sent again after a refusal
   */
  public void setJournal(
      Key key,
      ByteBuf bytes,
      IntSupplier lengthBytes,
      BooleanSupplier isNeeded,
      Consumer<Stored> done) {
    ItemWrite.ofJournal(this, key, bytes, lengthBytes, isNeeded, done).send();
  }

  /**
   * As {@link #set}, for an item of another slab class than the previous one under its key. A
   * refusal drops the previous item, whose chunk does not help the new one. So the previous item is
   * written back at once after each refusal, while its chunk is free.
   *
   * @param before the previous item, on the heap
   * @param done gets {@link Stored#PUT_BACK} if the previous item is back
   */
  void replace(Key key, Padded item, Padded before, Consumer<Stored> done) {
    ItemWrite.replacing(this, key, item, before, done).send();
  }

  /** Runs once when commands are about to leave; see {@link ServerConnection#beforeFlush}. */
  public void beforeFlush(Runnable body) {
    connection.beforeFlush(body);
  }

  /** Deletes an item. A server that may still have it afterwards is stale. */
  public void delete(Key key, Runnable done) {
    whenLeased(() -> deleteNow(key, done, false));
  }

  /** As {@link #delete}, together with other commands that follow soon: nobody waits for it. */
  public void deleteSoon(Key key) {
    whenLeased(() -> deleteNow(key, () -> {}, true));
  }

  private void whenLeased(Runnable body) {
    if (needsNoWait()) {
      body.run();
    } else {
      lease.await(body);
    }
  }

  /**
   * Whether an operation need not wait for the lease: it has the lease, or the server is not used
   * or the link is closed, so that the operation fails at once.
   */
  boolean needsNoWait() {
    return !isUsable() || lease.isHeld();
  }

  private void deleteNow(Key key, Runnable done, boolean isDeferred) {
    if (isUsable()) {
      Deletion deletion = new Deletion(done);
      (isDeferred ? connection.deferredCommand(deletion) : connection.command(deletion))
          .delete(key)
          .end();
    } else if (!closed) {
      missThen(done);
    }
  }

  /**
   * Ends the use of a server that holds nothing any more. Further operations end as on a server
   * that is down, but the server does not become stale.
   */
  void retire() {
    retired = true;
    usable = false;
  }

  boolean isClosed() {
    return closed;
  }

  /** Closes the link; operations under way and later ones get no answer. */
  public void close() {
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
      unfit = false;
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

  private final class Deletion implements ReplyHandler {
    private final Runnable done;

    Deletion(Runnable done) {
      this.done = done;
    }

    @Override
    public void replied(ServerReply reply) {
      reply.release();
      int joinsThen = joins;
      if (needsNoWait()) {
        done.run();
      } else {
        lease.await(() -> confirm(joinsThen));
      }
    }

    /** Ends the deletion under the lease, as the write of an item. */
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
