package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the mark of each server in use at intervals. The own mark renews the server's lease,
 * another owner's mark ends the shard, and a missing mark means that the server was emptied. Each
 * server has a separate connection for that, so an answer waits neither behind bulk data nor for a
 * connection that the end of the lease has stopped. Belongs to the shard's event loop.
 */
final class OwnershipWatch {
  private static final int LOOKS_PER_REPLY = 2;

  /** Reply time-outs without a lease after which a server is given up: two leases. */
  private static final int PATIENCE_REPLIES = 6;

  private final GuardedLoop loop;
  private final TierClaim claim;
  private final ConnectionSettings settings;
  private final ServerTable servers;
  private final Map<ServerLink, Question> questions = new HashMap<>();
  private boolean ended;

  OwnershipWatch(
      GuardedLoop loop, TierClaim claim, ConnectionSettings settings, ServerTable servers) {
    this.loop = loop;
    this.claim = claim;
    this.settings = settings;
    this.servers = servers;
  }

  void begin() {
    if (ended) {
      return;
    }
    forgetOthers();
    for (ServerLink link : servers.all()) {
      if (!ended) {
        questions.computeIfAbsent(link, Question::new).look();
      }
    }
    if (!ended) {
      loop.schedule(
          this::begin, settings.reply().toNanos() / LOOKS_PER_REPLY, TimeUnit.NANOSECONDS);
    }
  }

  private void forgetOthers() {
    for (ServerLink link : List.copyOf(questions.keySet())) {
      Question gone = servers.link(link.id()) == link ? null : questions.remove(link);
      if (gone != null) {
        gone.connection.close();
      }
    }
  }

  void end() {
    ended = true;
    questions.values().forEach(question -> question.connection.close());
    questions.clear();
  }

  /** The questions to one server. */
  private final class Question implements ConnectionListener {
    private final ServerLink link;
    private final ServerConnection connection;

    /** The unanswered question. */
    private @Nullable Asked asked;

    /**
     * Consecutive looks without a lease. They are counted, not timed, because a stopped process
     * makes none.
     */
    private int looksWithout;

    Question(ServerLink link) {
      this.link = link;
      this.connection =
          new ServerConnection(ServerAddress.parse(link.id().name()), loop.netty(), settings, this);
    }

    private void look() {
      if (!link.isGuarded()) {
        return;
      }
      looksWithout = link.lease().isValid() ? 0 : looksWithout + 1;
      if (looksWithout > PATIENCE_REPLIES * LOOKS_PER_REPLY) {
        looksWithout = 0;
        link.drop(
            "has not shown the tier's mark for %d ms"
                .formatted(PATIENCE_REPLIES * settings.reply().toMillis()));
      } else if (asked == null) {
        ask();
      }
    }

    /**
     * Asks for the mark; through the other connection, while that may send, if the server accepts
     * no further connection.
     */
    private void ask() {
      ServerConnection by = connection.isOpen() ? connection : link.connection();
      if (link.isGuarded() && (by == connection || link.lease().isValid())) {
        Asked begun = new Asked(this, link.joins(), servers.isNoting(link), System.nanoTime());
        asked = begun;
        by.command(begun).get(OwnKeys.MARK).value().end();
      }
    }

    private void answered(Asked answer, @Nullable ServerMark found) {
      if (ended || !link.isGuarded()) {
        return;
      }
      if (found == null) {
        if (link.isUsable() && link.joins() == answer.joins()) {
          servers.unmarked(link, answer.isNoting(), answer.nanos());
        }
      } else if (claim.judge(found) == Verdict.OWN) {
        servers.marked(link, answer.nanos());
        if (!link.lease().isValid() && asked == null) {
          ask(); // this process stood still, or the server was slow
        }
      } else {
        if (servers.isPart(link)) {
          end();
        }
        servers.overtaken(link, claim.refusal(link.id().name(), found));
      }
    }

    private void forget(Asked answer) {
      asked = asked == answer ? null : asked;
    }

    /** Asks again, because a question on the other connection may be held up there. */
    @Override
    public void connected(ServerConnection opened) {
      ask();
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {}

    @Override
    public void faulted(ServerConnection with, RuntimeException fault) {
      loop.faulted(fault);
    }
  }

  /**
   * A question on its way.
   *
   * @param joins {@link ServerLink#joins} at the question: before a joining there may have been no
   *     mark yet
   * @param isNoting {@link ServerTable#isNoting} at the question: the mark may exist by now
   * @param nanos time of the question
   */
  private record Asked(Question question, int joins, boolean isNoting, long nanos)
      implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      question.forget(this);
      question.answered(this, OwnKeys.readMark(reply));
    }

    @Override
    public void lost(ServerLostException why) {
      question.forget(this);
    }
  }
}
