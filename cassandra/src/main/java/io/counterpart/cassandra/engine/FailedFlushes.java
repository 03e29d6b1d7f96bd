package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.RepeatedFlush;
import io.counterpart.core.engine.RepeatDecision;
import io.counterpart.core.engine.RepeatDecision.Target;
import io.counterpart.core.engine.RepeatFacts;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's flushes that failed: they are repeated in the background. Cassandra itself keeps such a
 * memtable, and the commit log from its begin, until the process ends. Thread-safe, but for {@link
 * #repeat}.
 */
final class FailedFlushes {
  private static final Logger logger = LoggerFactory.getLogger(FailedFlushes.class);
  private static final Duration REST = Duration.ofSeconds(10);

  private final EngineTable table;

  /** What else has failed, and comes after the flushes. */
  private final Queue<Runnable> others = new ConcurrentLinkedQueue<>();

  private long nextTry = System.nanoTime();

  FailedFlushes(EngineTable table) {
    this.table = table;
  }

  /** Repeats what there is, oldest first, if it is time. Not to be called twice at once. */
  void repeat() {
    List<EngineMemtable> all = table.spills().failed();
    all.forEach(failed -> failed.flush().abandon());
    if (System.nanoTime() - nextTry < 0) {
      return;
    }
    for (EngineMemtable failed : all) {
      if (table.isClosed()) {
        return;
      }
      RepeatDecision decision = decision();
      if (decision.target() == Target.NOTHING || !isRepeated(failed, decision)) {
        return;
      }
    }
    repeatOthers();
  }

  /** Has something tried again until it succeeds, unless the table is dropped before. */
  void repeatLater(Runnable work) {
    others.add(work);
  }

  private void repeatOthers() {
    for (Runnable next = others.peek(); next != null && !table.isClosed(); next = others.peek()) {
      try {
        next.run();
      } catch (RuntimeException | Error e) {
        nextTry = System.nanoTime() + REST.toNanos();
        throw e;
      }
      others.remove();
    }
  }

  /**
   * Refuses what needs all of the table in sstables, or rows of before to be gone: it knows nothing
   * of a memtable that is flushed later, of this engine or of another one.
   *
   * @throws IllegalStateException if there is one
   */
  void requireNone(String what) {
    for (Memtable memtable : table.table().getTracker().getView().getAllMemtables()) {
      if (memtable instanceof EngineMemtable own && own.awaitsRepetition()) {
        throw new IllegalStateException(
            "no %s of %s while a flush that failed is not repeated: try again later"
                .formatted(what, table.table().metadata));
      }
    }
  }

  private RepeatDecision decision() {
    boolean isCurrent = table.isCurrent();
    StorageService node = StorageService.instance;
    return RepeatDecision.of(
        new RepeatFacts(
            isCurrent,
            !isCurrent && !table.server().isThere(),
            node.isDraining() || node.isDrained()));
  }

  private boolean isRepeated(EngineMemtable failed, RepeatDecision decision) {
    logger.info(
        "A flush of {} that failed is repeated: {}", table.table().metadata, decision.reason());
    try {
      failed.flush().repeat(decision.target() == Target.WITH_STORES);
      new RepeatedFlush(table.table(), failed).run();
      logger.info("A flush of {} that failed has been repeated", table.table().metadata);
      return true;
    } catch (RuntimeException e) {
      nextTry = System.nanoTime() + REST.toNanos();
      logger.warn(
          "A flush of {} has failed again; the next try is later", table.table().metadata, e);
      table.server().note(e);
      return false;
    }
  }
}
