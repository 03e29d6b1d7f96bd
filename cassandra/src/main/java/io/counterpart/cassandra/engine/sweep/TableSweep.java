package io.counterpart.cassandra.engine.sweep;

import io.counterpart.cassandra.engine.store.SweepStep;
import io.counterpart.core.engine.SweepDecision;
import io.counterpart.core.engine.SweepFacts;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StoreClosedException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweeps of one table's store, one after another, in short turns. Thread-safe, but for {@link
 * #turn}.
 */
public final class TableSweep {
  private static final Logger logger = LoggerFactory.getLogger(TableSweep.class);

  /** Entries of a step: about what a batch of a flush makes others wait for, or less. */
  private static final long STEP_BYTES = 1L << 20;

  private static final Duration TURN = Duration.ofMillis(100);

  /** A rest after a turn, in turns: so a sweep takes a tenth of one core, or of a disk's time. */
  private static final int RESTS = 9;

  private static final Duration REST_AFTER_FAILURE = Duration.ofMinutes(1);

  /** A node that has just started has other things to read. */
  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofHours(1);

  /** After which a step that may have spared too much counts. */
  private static final int MOST_REPEATS = 10;

  private final String name;
  private final SweptTable table;
  private final LongSupplier nanoTime;
  private final long stepBytes;
  private volatile @Nullable Duration delay;

  /** Where the sweep goes on; null between two. */
  private volatile SweepStep.@Nullable Position next;

  /** When the last one has ended, or the table was opened. */
  private volatile long endedNanos;

  private volatile boolean hasEnded;
  private long restEndNanos;
  private int repeats;
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
    this.endedNanos = nanoTime.getAsLong();
    this.restEndNanos = endedNanos;
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
    return decision(table.isCovered());
  }

  private SweepDecision decision(boolean covered) {
    Duration quiet = Duration.ofNanos(nanoTime.getAsLong() - endedNanos);
    return SweepDecision.of(
        new SweepFacts(table.conditions(), covered, next != null, quiet, pause()));
  }

  private @Nullable Duration pause() {
    Duration pause = delay;
    return pause == null || hasEnded || pause.compareTo(LONGEST_FIRST_PAUSE) < 0
        ? pause
        : LONGEST_FIRST_PAUSE;
  }

  /** Does a little, if a sweep is due. Not to be called twice at once. */
  public void turn() {
    long begin = nanoTime.getAsLong();
    // what is covered is recorded first
    if (begin - restEndNanos < 0 || !decision(true).sweeps()) {
      return;
    }
    try {
      table.coverLog();
      if (table.isCovered()) {
        SweepRules rules = SweepRules.begin(table);
        begin = nanoTime.getAsLong();
        steps(rules);
      }
    } catch (StoreClosedException e) {
      logger.debug("{} was dropped or spilled in its sweep", name, e);
    } catch (StoreBusyException e) {
      logger.debug("The sweep of {} leaves its server to readers", name, e);
    } catch (StoreAwayException e) {
      // flushes outlast more than this, and find out by themselves
      logger.debug("The sweep of {} waits for its server", name, e);
      rest(REST_AFTER_FAILURE.toNanos());
      return;
    } catch (RuntimeException | Error e) {
      // as a damaged entry, which the next sweep meets again
      end();
      throw e;
    }
    rest(RESTS * (nanoTime.getAsLong() - begin));
  }

  private void rest(long nanos) {
    restEndNanos = nanoTime.getAsLong() + nanos;
  }

  private void steps(SweepRules rules) {
    long begin = nanoTime.getAsLong();
    SweepStep.Limit limit = new SweepStep.Limit(stepBytes, TURN.toNanos(), nanoTime);
    SweepStep.Position before = next;
    SweepStep.Position from = before == null ? SweepStep.Position.BEGIN : before;
    next = from;
    if (!rules.hold()) {
      return;
    }
    boolean hold;
    do {
      SweepStep step = table.stores().sweep(from, limit, rules::now);
      changes += step.changes();
      SweepStep.Position reached = step.next();
      hold = rules.hold();
      if (reached == from || (!hold && ++repeats < MOST_REPEATS)) {
        // others are writing, or it may have spared too much: the next turn repeats it
        return;
      }
      repeats = 0;
      if (reached == null) {
        end();
        return;
      }
      from = reached;
      next = from;
    } while (hold && nanoTime.getAsLong() - begin < TURN.toNanos() && decision(true).sweeps());
  }

  private void end() {
    if (changes > 0) {
      logger.info("The sweep of {} purged or shortened {} entries", name, changes);
    }
    changes = 0;
    repeats = 0;
    hasEnded = true;
    endedNanos = nanoTime.getAsLong();
    next = null;
  }
}
