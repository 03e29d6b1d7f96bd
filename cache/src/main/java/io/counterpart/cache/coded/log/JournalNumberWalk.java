package io.counterpart.cache.coded.log;

import io.counterpart.cache.metadata.JournalNumbers;
import java.util.Collection;
import java.util.List;

/**
 * A walk through all numbers that journal items may have, on all servers in parallel. At most
 * {@value #MOST_OF_SERVER} requests are under way on one server, and at most {@value #MOST} in all,
 * so memory does not grow with the numbers. Belongs to the shard's event loop.
 */
final class JournalNumberWalk {
  static final int MOST_OF_SERVER = 64;
  static final int MOST = 1024;

  private final long end;
  private final List<Walker> walkers;
  private final Runnable done;
  private int underWay;
  private boolean proceeding;
  private boolean again;
  private boolean isDone;

  /** The journal of one server. */
  @FunctionalInterface
  interface ServerJournal {
    /** Whether its server still needs to be asked. */
    default boolean isUsable() {
      return true;
    }

    /**
     * Requests one item.
     *
     * @param answered runs once, later or at once
     */
    void ask(long number, Runnable answered);
  }

  /**
   * @param done runs once after all answers
   */
  JournalNumberWalk(
      JournalNumbers numbers, Collection<? extends ServerJournal> journals, Runnable done) {
    this.end = numbers.end();
    this.walkers = journals.stream().map(journal -> new Walker(journal, numbers.first())).toList();
    this.done = done;
  }

  void begin() {
    proceed();
  }

  private void proceed() {
    again = true;
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (again) {
      again = false;
      walkers.forEach(Walker::proceed);
    }
    proceeding = false;
    if (underWay == 0 && !isDone) {
      isDone = true;
      done.run();
    }
  }

  /** The walk on one server. */
  private final class Walker {
    private final ServerJournal journal;
    private long next;
    private int asked;

    Walker(ServerJournal journal, long first) {
      this.journal = journal;
      this.next = first;
    }

    void proceed() {
      while (next < end && asked < MOST_OF_SERVER && underWay < MOST && journal.isUsable()) {
        asked++;
        underWay++;
        journal.ask(next++, this::answered);
      }
    }

    private void answered() {
      asked--;
      underWay--;
      JournalNumberWalk.this.proceed();
    }
  }
}
