package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The own marks on servers that are used. A mark says whether its server is whole or lacks items; a
 * <em>note</em> changes that. A server has one note at a time, which writes what was asked for
 * last: so an older <em>whole</em> never hides that a server lacks items.
 *
 * <p>memcached refuses a mark that it has no memory for, and drops the mark before. That chunk is
 * free then, and of the same class, so the mark is sent again at once: such a server was not
 * emptied. If somebody else has taken the chunk, the mark is sent as any refused item is, until it
 * is there; meanwhile nothing tells whether the server is emptied, so it counts as that. Belongs to
 * the shard's event loop.
 */
final class Marks {
  private static final Logger logger = LoggerFactory.getLogger(Marks.class);
  private static final long PAUSE_MILLIS = 1000;

  private final GuardedLoop loop;
  private final Key key;
  private final TierClaim claim;
  private final Consumer<ServerLink> emptied;
  private final Map<ServerLink, Note> notes = new HashMap<>();

  /**
   * Servers whose mark a command of ours may have dropped, from before it is sent on; it was not
   * seen since.
   */
  private final Set<ServerLink> dropped = new HashSet<>();

  /**
   * @param emptied is told of a server that had been without its mark, and has it again
   */
  Marks(GuardedLoop loop, int shard, TierClaim claim, Consumer<ServerLink> emptied) {
    this.loop = loop;
    this.key = OwnKeys.mark(shard);
    this.claim = claim;
    this.emptied = emptied;
  }

  /**
   * Has a server that is used be told from now on from one that lacks items; unless it is another's
   * by now, which the watch will see.
   */
  void noteWhole(ServerLink link) {
    note(link, true, false);
  }

  /** The contrary of {@link #noteWhole}: a restart has the server restored, if it comes first. */
  void noteLacking(ServerLink link) {
    note(link, false, false);
  }

  /** Marks a server that is used, if nobody else has: it lost its mark with all that it had. */
  void noteEmptied(ServerLink link) {
    note(link, false, true);
  }

  private void note(ServerLink link, boolean isWhole, boolean isEmptied) {
    Note known = notes.get(link);
    if (known != null && isWhole && !link.isUsable()) {
      return; // what it lacks it has not got back while it was away
    }
    if (known != null) {
      known.isWhole = isWhole && !known.isEmptied;
      known.isEmptied |= isEmptied;
    } else if (link.isUsable()) {
      Note begun = new Note(link, isWhole, isEmptied);
      notes.put(link, begun);
      begun.read();
    }
  }

  /** Whether a server may be without its mark since it is being written. */
  boolean isNoting(ServerLink link) {
    return notes.containsKey(link);
  }

  /** A server refuses a mark, or may do so: it drops the one that it has then. */
  private void refused(ServerLink link) {
    dropped.add(link);
  }

  /** A server has shown a mark, whosever it is, or has refused none. */
  void seen(ServerLink link) {
    dropped.remove(link);
  }

  /** Whether a server may be without a mark because it refused one. */
  boolean hasDropped(ServerLink link) {
    return dropped.contains(link);
  }

  /**
   * A server is used again: what it lacks, and its mark does not say, is noted now.
   *
   * @return whether there is such
   */
  boolean joined(ServerLink link) {
    Note known = notes.remove(link);
    boolean lacks = known != null && !known.isWhole;
    if (lacks) {
      noteLacking(link);
    }
    return lacks;
  }

  /** A server is let go. */
  void forget(ServerLink link) {
    notes.remove(link);
    dropped.remove(link);
  }

  /** Writes the mark: the mode and {@link #text} are to follow. */
  ServerRequestWriter write(ServerRequestWriter to, boolean isWhole) {
    return to.set(key, text(isWhole).readableBytes());
  }

  /** The bytes of the mark. */
  ByteBuf text(boolean isWhole) {
    return Unpooled.wrappedBuffer(claim.mark(isWhole).text().getBytes(StandardCharsets.US_ASCII));
  }

  /** What is to be written on one server. */
  private final class Note {
    private final ServerLink link;
    private boolean isWhole;

    /** Whether the server has, or may have, lost its mark with all that it had. */
    private boolean isEmptied;

    private boolean isRefused;
    private long refusedNanos;

    Note(ServerLink link, boolean isWhole, boolean isEmptied) {
      this.link = link;
      this.isWhole = isWhole;
      this.isEmptied = isEmptied;
    }

    private void read() {
      if (isCurrent()) {
        ask(this::found).get(key).value().cas().end();
      }
    }

    /** A mark that is another's, or has vanished by itself, the watch will see. */
    private void found(ServerReply reply) {
      long cas = reply.flags().cas();
      ServerMark found = OwnKeys.readMark(reply);
      if (found == null) {
        if (isEmptied || hasDropped(link)) {
          add();
        } else {
          notes.remove(link);
        }
        return;
      }
      seen(link);
      if (claim.judge(found) != Verdict.OWN) {
        notes.remove(link);
      } else if ((found.state() == ServerMark.State.WHOLE) == isWhole) {
        end(isWhole);
      } else {
        change(cas);
      }
    }

    private void change(long cas) {
      boolean sent = isWhole;
      refused(link); // others may find that out before its answer is here
      write(ask(reply -> changed(reply, sent)), sent)
          .mode(StoreMode.CAS)
          .compareCas(cas)
          .end(text(sent));
    }

    private void changed(ServerReply reply, boolean sent) {
      if (reply.status().isError()) {
        reply.release();
        add(); // the chunk of the mark that was dropped is free now
      } else {
        seen(link); // it was not refused, so it has dropped nothing
        written(reply, sent);
      }
    }

    private void add() {
      boolean sent = isWhole;
      write(ask(reply -> written(reply, sent)), sent).mode(StoreMode.ADD).end(text(sent));
    }

    private void written(ServerReply reply, boolean sent) {
      ReplyStatus status = reply.status();
      reply.release();
      if (status.isError()) {
        refused(link);
        isEmptied = true; // from now on it may be without a mark for long: nobody knows what it has
        isWhole = false;
        refusedNanos = isRefused ? refusedNanos : System.nanoTime();
        isRefused = true;
        link.memory().refused(this::read, () -> sendLater(status), refusedNanos);
      } else if (status == ReplyStatus.HD) {
        seen(link);
        end(sent);
      } else {
        read(); // somebody was faster
      }
    }

    private void end(boolean sent) {
      boolean wasEmptied = isEmptied;
      notes.remove(link);
      if (isWhole != sent) {
        note(link, isWhole, false);
      }
      if (wasEmptied && link.isUsable()) {
        emptied.accept(link);
      }
    }

    private void sendLater(ReplyStatus status) {
      logger.warn("server {} takes no mark: {}", link, status);
      loop.schedule(
          () -> {
            isRefused = false;
            read();
          },
          PAUSE_MILLIS,
          TimeUnit.MILLISECONDS);
    }

    /** Not after its connection was lost: it waits until the server is used again. */
    private boolean isCurrent() {
      return notes.get(link) == this && link.isUsable();
    }

    private ServerRequestWriter ask(Consumer<ServerReply> answered) {
      return link.connection().command(new Answer(this, answered));
    }
  }

  /** A connection that is lost ends what was asked of it. */
  private record Answer(Note note, Consumer<ServerReply> answered) implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      if (note.isCurrent()) {
        answered.accept(reply);
      } else {
        reply.release();
      }
    }

    @Override
    public void lost(ServerLostException why) {}
  }
}
