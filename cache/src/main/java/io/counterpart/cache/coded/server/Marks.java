package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
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
 * The tier's marks on the servers in use. A mark says whether its server is whole or lacks items; a
 * <em>note</em> changes that. Each server has at most one note, which writes the state that was
 * requested last. So an older <em>whole</em> never hides that a server lacks items.
 *
 * <p>A server without memory refuses a mark and drops the previous one. That frees a chunk of the
 * mark's class, so the mark is sent again at once, and the server does not count as emptied. If
 * another item has taken the chunk, the mark is repeated as any refused item is. Without a mark
 * nothing shows whether the server is emptied meanwhile, so it counts as emptied. Belongs to the
 * shard's event loop.
 */
final class Marks {
  private static final Logger logger = LoggerFactory.getLogger(Marks.class);
  private static final long PAUSE_MILLIS = 1000;

  private final GuardedLoop loop;
  private final TierClaim claim;
  private final CountingCopies copies;
  private final MarkWatcher watcher;
  private final Map<ServerLink, Note> notes = new HashMap<>();

  /**
   * Servers whose mark a command of this process may have dropped, noted before the command is
   * sent, and that have shown no mark since.
   */
  private final Set<ServerLink> dropped = new HashSet<>();

  /**
   * @param copies those of the metadata that the marks name, and who names them
   */
  Marks(GuardedLoop loop, CountingCopies copies, MarkWatcher watcher) {
    this.loop = loop;
    this.claim = copies.claim();
    this.copies = copies;
    this.watcher = watcher;
  }

  /** Marks a server in use as whole. A mark of another owner is left to the watch. */
  void noteWhole(ServerLink link) {
    note(link, true, false);
  }

  /** Marks a server in use as lacking items: a restart restores it, unless it is whole by then. */
  void noteLacking(ServerLink link) {
    note(link, false, false);
  }

  /**
   * Marks a server in use that lost its mark with all of its items, unless somebody else has marked
   * it.
   */
  void noteEmptied(ServerLink link) {
    note(link, false, true);
  }

  /** Has the mark of a server in use name the present copies, and changes nothing else. */
  void noteCopies(ServerLink link) {
    if (link.isUsable() && !notes.containsKey(link) && copies.isToBeTold(link.id())) {
      Note begun = new Note(link, false, false);
      begun.isStateKnown = false;
      notes.put(link, begun);
      begun.read();
    }
  }

  private void note(ServerLink link, boolean isWhole, boolean isEmptied) {
    Note known = notes.get(link);
    if (known != null && isWhole && !link.isUsable()) {
      return; // it was not restored while it was away
    }
    if (known != null) {
      known.isWhole = isWhole && !known.isEmptied;
      known.isEmptied |= isEmptied;
      known.isStateKnown = true;
    } else if (link.isUsable()) {
      Note begun = new Note(link, isWhole, isEmptied);
      notes.put(link, begun);
      begun.read();
    }
  }

  /** The copies of the metadata that the marks name. */
  CountingCopies copies() {
    return copies;
  }

  /** Whether a server may be without its mark because a note is under way. */
  boolean isNoting(ServerLink link) {
    return notes.containsKey(link);
  }

  /** Notes that a server has shown a mark, whoever owns it, or has accepted one. */
  void seen(ServerLink link) {
    dropped.remove(link);
  }

  /** Whether a server may be without a mark because it refused one. */
  boolean hasDropped(ServerLink link) {
    return dropped.contains(link);
  }

  /**
   * Resumes the note of a server that is in use again and lacks items that its mark does not show.
   *
   * @return whether there is such a note
   */
  boolean joined(ServerLink link) {
    Note known = notes.remove(link);
    boolean lacks = known != null && (known.isEmptied || known.isStateKnown && !known.isWhole);
    if (lacks) {
      noteLacking(link);
    }
    return lacks;
  }

  /** Forgets a server that is let go. */
  void forget(ServerLink link) {
    copies.forget(link.id());
    notes.remove(link);
    dropped.remove(link);
  }

  /** Begins the command that writes the mark; the caller adds the mode and {@link #text}. */
  ServerRequestWriter write(ServerRequestWriter to, ServerMark mark) {
    return to.set(OwnKeys.MARK, mark.text().length());
  }

  /** The mark of a server. */
  ServerMark mark(ServerLink link, boolean isWhole) {
    return claim.mark(isWhole, copies.of(link.id()));
  }

  /** The bytes of a mark. */
  static ByteBuf text(ServerMark mark) {
    return Unpooled.wrappedBuffer(mark.text().getBytes(StandardCharsets.US_ASCII));
  }

  /** A pending change of one server's mark. */
  private final class Note {
    private final ServerLink link;
    private boolean isWhole;

    /** Whether {@link #isWhole} was requested; else it stays as the mark has it. */
    private boolean isStateKnown = true;

    /** Whether the server has lost its mark with all of its items, or may have. */
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
        ask(this::found).get(OwnKeys.MARK).value().cas().end();
      }
    }

    /**
     * Handles the present mark. A mark of another owner, or one that vanished by itself, is left to
     * the watch.
     */
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
      isWhole = isStateKnown ? isWhole : found.state() == ServerMark.State.WHOLE;
      if (claim.judge(found) != Verdict.OWN) {
        notes.remove(link);
      } else if (found.equals(mark(link, isWhole))) {
        end(found);
      } else {
        change(cas);
      }
    }

    private void change(long cas) {
      ServerMark sent = mark(link, isWhole);
      dropped.add(link); // another connection may see that before the answer is here
      write(ask(reply -> changed(reply, sent)), sent)
          .mode(StoreMode.CAS)
          .compareCas(cas)
          .end(text(sent));
    }

    private void changed(ServerReply reply, ServerMark sent) {
      if (reply.status().isError()) {
        reply.release();
        add(); // the dropped mark's chunk is free now
      } else {
        seen(link); // it was not refused, so it has dropped nothing
        written(reply, sent);
      }
    }

    private void add() {
      copies.forget(link.id()); // without its mark, it tells nothing
      ServerMark sent = mark(link, isWhole);
      write(ask(reply -> written(reply, sent)), sent).mode(StoreMode.ADD).end(text(sent));
    }

    private void written(ServerReply reply, ServerMark sent) {
      ReplyStatus status = reply.status();
      reply.release();
      if (status.isError()) {
        dropped.add(link);
        isEmptied = true; // it may be without a mark for long: its content is unknown then
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

    private void end(ServerMark sent) {
      boolean wasEmptied = isEmptied;
      notes.remove(link);
      copies.shows(link.id(), sent.copies());
      if (isWhole != (sent.state() == ServerMark.State.WHOLE)) {
        note(link, isWhole, false);
      } else {
        noteCopies(link);
      }
      if (wasEmptied && link.isUsable()) {
        watcher.emptied(link);
      } else if (sent.state() == ServerMark.State.WHOLE) {
        watcher.whole(link);
      }
    }

    private void sendLater(ReplyStatus status) {
      logger.warn("server {} refuses the tier's mark: {}", link, status);
      loop.schedule(
          () -> {
            isRefused = false;
            read();
          },
          PAUSE_MILLIS,
          TimeUnit.MILLISECONDS);
    }

    /**
     * Whether the note is current; after a loss of the connection it waits until the server is used
     * again.
     */
    private boolean isCurrent() {
      return notes.get(link) == this && link.isUsable();
    }

    private ServerRequestWriter ask(Consumer<ServerReply> answered) {
      return link.connection().command(new CurrentAnswer(this::isCurrent, answered));
    }
  }
}
