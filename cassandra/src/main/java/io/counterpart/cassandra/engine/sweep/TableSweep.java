package io.counterpart.cassandra.engine.sweep;

import io.counterpart.cassandra.engine.store.SweepStep;
import io.counterpart.core.engine.SweepDecision;
import io.counterpart.core.engine.SweepFacts;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweeps of one table's store, one after another, in short turns. The first one is due when the
 * table is opened. Thread-safe, but for {@link #turn}.
 */
public final class TableSweep {
  private static final Logger logger = LoggerFactory.getLogger(TableSweep.class);

  /** Entries of a step: about what a batch of a flush makes others wait for, or less. */
  private static final long STEP_BYTES = 1L << 20;

  /** With a turn a second, a tenth of one core. */
  private static final Duration TURN = Duration.ofMillis(100);

  private final String name;
  private final SweptTable table;
  private final LongSupplier nanoTime;
  private final long stepBytes;
  private volatile @Nullable Duration delay;

  /** Where the sweep goes on; null between two. */
  private volatile SweepStep.@Nullable Position next = SweepStep.Position.BEGIN;

  private volatile long endedNanos;
  private long changes;

  /**
   * @param name of the table, for the log
   */
  public TableSweep(String name, NodeTable table) {
    this(name, table, System::nanoTime, STEP_BYTES);
  }

  TableSweep(String name, SweptTable table, LongSupplier nanoTime, long stepBytes) {
    this.name = name;
    this.table = table;
    this.nanoTime = nanoTime;
    this.stepBytes = stepBytes;
  }

  /**
   * Changes the pause between two sweeps.
   *
   * @param pause null for no sweeps
   */
  public void after(@Nullable Duration pause) {
    delay = pause;
  }

  /** What would be done now, and why. */
  public SweepDecision decision() {
    Duration quiet = Duration.ofNanos(nanoTime.getAsLong() - endedNanos);
    return SweepDecision.of(new SweepFacts(table.conditions(), next != null, quiet, delay));
  }

  /** Does a little, if a sweep is due. Not to be called twice at once. */
  public void turn() {
    if (!decision().sweeps()) {
      return;
    }
    try {
      table.coverLog();
      steps(SweepRules.begin(table));
    } catch (StoreClosedException e) {
      logger.debug("{} was dropped or spilled in its sweep", name, e);
    } catch (StoreAwayException e) {
      table.noteAway(e);
    } catch (RuntimeException e) {
      // as a damaged entry, which the next sweep meets again
      end();
      throw e;
    }
  }

  private void steps(SweepRules rules) {
    long begin = nanoTime.getAsLong();
    SweepStep.Position before = next;
    SweepStep.Position from = before == null ? SweepStep.Position.BEGIN : before;
    do {
      next = from;
      SweepStep step = table.stores().sweep(from, stepBytes, rules::now);
      changes += step.changes();
      if (!rules.hold()) {
        // it may have spared too much: the next turn repeats it
        return;
      }
      SweepStep.Position reached = step.next();
      if (reached == null) {
        end();
        return;
      }
      from = reached;
      next = from;
    } while (nanoTime.getAsLong() - begin < TURN.toNanos() && decision().sweeps());
  }

  private void end() {
    if (changes > 0) {
      logger.info("The sweep of {} purged or shortened {} entries", name, changes);
    }
    changes = 0;
    endedNanos = nanoTime.getAsLong();
    next = null;
  }
}
