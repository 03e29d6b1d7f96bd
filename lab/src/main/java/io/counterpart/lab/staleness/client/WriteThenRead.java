package io.counterpart.lab.staleness.client;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.TimedRead;
import io.counterpart.lab.check.TimedWrite;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.workload.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A client that writes a key and reads it a known time after the write's answer, through
 * coordinators that it names. All times are of one monotonic clock, and each key has one writer at
 * a time, whose versions count up: so {@code lab.check} can tell what a read missed. One load at a
 * time; answers come on other threads.
 */
public final class WriteThenRead implements AutoCloseable {
  private static final int READER = 1_000_000;
  private static final int PROGRESS_STEP = 100;
  private static final int READ_BACK_IN_FLIGHT = 64;
  private static final int MOST_EXAMPLES = 3;

  private final CqlSession session;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "lab-late-reads");
            thread.setDaemon(true);
            return thread;
          });

  /** Prepares; the table must exist on all nodes. */
  public WriteThenRead(CqlSession session, TableRef table) {
    this.session = session;
    insert = session.prepare("INSERT INTO %s (k, v) VALUES (?, ?)".formatted(table.qualified()));
    select = session.prepare("SELECT v FROM %s WHERE k = ?".formatted(table.qualified()));
  }

  /** Runs a load; returns when every read has ended. */
  public PairOutcome run(PairLoad load, LongConsumer progress) throws InterruptedException {
    return new Running(load).run(progress);
  }

  /** One load under way. */
  private final class Running {
    private final PairLoad load;
    private final Semaphore permits;
    private final List<TimedWrite> writes = new ArrayList<>();
    private final Histogram micros = new Histogram(3);
    private long failed;
    private @Nullable RuntimeException broken;

    Running(PairLoad load) {
      this.load = load;
      permits = new Semaphore(load.pace().inFlight());
    }

    PairOutcome run(LongConsumer progress) throws InterruptedException {
      long start = System.nanoTime();
      for (int pair = 0; pair < load.pairs(); pair++) {
        long wait;
        while ((wait = start + load.pace().beginNanos(pair) - System.nanoTime()) > 0) {
          LockSupport.parkNanos(wait);
        }
        permits.acquire();
        Lane lane = load.lanes().get(pair % load.lanes().size());
        write(pair, lane, lane.take());
        if (pair % PROGRESS_STEP == 0) {
          progress.accept(pair);
        }
      }
      permits.acquire(load.pace().inFlight());
      progress.accept(load.pairs());
      synchronized (this) {
        if (broken != null) {
          throw new IllegalStateException("the client is broken", broken);
        }
        return new PairOutcome(
            writes, failed, LatencySummary.of(micros), (System.nanoTime() - start) / 1e9);
      }
    }

    private void write(int pair, Lane lane, int slot) {
      long version = lane.nextVersion(slot);
      long invoked = System.nanoTime();
      session
          .executeAsync(
              insert
                  .bind(lane.key(slot), version)
                  .setNode(lane.writer())
                  .setConsistencyLevel(load.writeLevel()))
          .whenComplete(
              (rows, error) -> {
                long acked = System.nanoTime();
                written(
                    new TimedWrite(
                        lane.session(),
                        lane.key(slot),
                        version,
                        invoked,
                        error == null ? acked : TimedWrite.NEVER));
                if (error == null) {
                  lane.acknowledged(slot, version);
                  guarded(
                      lane,
                      slot,
                      () -> readAfter(load.reads().after(pair, lane), lane, slot, acked));
                } else {
                  end(lane, slot);
                }
              });
    }

    private synchronized void written(TimedWrite write) {
      writes.add(write);
      if (write.ackedNanos() == TimedWrite.NEVER) {
        failed++;
      } else {
        micros.recordValue((write.ackedNanos() - write.invokedNanos()) / 1_000);
      }
    }

    private void readAfter(PlannedRead planned, Lane lane, int slot, long acked) {
      long wait = acked + planned.gapNanos() - System.nanoTime();
      if (wait <= 0) {
        read(planned, lane, slot);
      } else {
        timer.schedule(
            () -> guarded(lane, slot, () -> read(planned, lane, slot)), wait, TimeUnit.NANOSECONDS);
      }
    }

    private void read(PlannedRead planned, Lane lane, int slot) {
      long started = System.nanoTime();
      session
          .executeAsync(
              select
                  .bind(lane.key(slot))
                  .setNode(planned.coordinator())
                  .setConsistencyLevel(planned.level())
                  .setCustomPayload(planned.asks() ? UsedLevel.ASKING : Map.of()))
          .whenComplete(
              (rows, error) -> {
                long ended = System.nanoTime();
                guarded(
                    lane,
                    slot,
                    () -> {
                      if (error == null) {
                        // a reader for each writer: coordinators differ
                        int reader = READER + lane.session();
                        planned
                            .reads()
                            .answered(
                                new TimedRead(
                                    reader, lane.key(slot), started, ended, version(rows)),
                                UsedLevel.replicas(
                                    rows.getExecutionInfo(),
                                    planned.level(),
                                    planned.reads().replicas()));
                      } else {
                        planned.reads().failed();
                      }
                      end(lane, slot);
                    });
              });
    }

    /** A pair that breaks off must end all the same, or the load would wait for it. */
    private void guarded(Lane lane, int slot, Runnable step) {
      try {
        step.run();
      } catch (RuntimeException e) {
        synchronized (this) {
          broken = e;
        }
        end(lane, slot);
      }
    }

    private void end(Lane lane, int slot) {
      lane.giveBack(slot);
      permits.release();
    }
  }

  private static long version(AsyncResultSet rows) {
    Row row = rows.one();
    return row == null ? 0 : row.getLong(0);
  }

  /** Reads every key at ALL that was written; to be called when no load runs. */
  public CheckOutcome readBack(List<Lane> lanes) throws InterruptedException {
    Semaphore permits = new Semaphore(READ_BACK_IN_FLIGHT);
    ReadBackCount count = new ReadBackCount();
    for (Lane lane : lanes) {
      for (int slot = 0; slot < lane.slots(); slot++) {
        if (lane.issued(slot) == 0) {
          continue;
        }
        permits.acquire();
        int read = slot;
        session
            .executeAsync(
                select.bind(lane.key(slot)).setConsistencyLevel(DefaultConsistencyLevel.ALL))
            .whenComplete(
                (rows, error) -> {
                  count.judge(lane, read, error == null ? version(rows) : null);
                  permits.release();
                });
      }
    }
    permits.acquire(READ_BACK_IN_FLIGHT);
    return count.outcome();
  }

  /** Verdicts so far. */
  private static final class ReadBackCount {
    private final List<String> examples = new ArrayList<>();
    private long checked;
    private long lost;
    private long wrong;
    private long unread;

    synchronized void judge(Lane lane, int slot, @Nullable Long version) {
      if (version == null) {
        unread++;
        return;
      }
      checked++;
      boolean isLost = version < lane.acknowledged(slot);
      boolean isWrong = version > lane.issued(slot);
      lost += isLost ? 1 : 0;
      wrong += isWrong ? 1 : 0;
      if ((isLost || isWrong) && examples.size() < MOST_EXAMPLES) {
        examples.add(
            "key %d: version %d, acknowledged %d, sent %d"
                .formatted(lane.key(slot), version, lane.acknowledged(slot), lane.issued(slot)));
      }
    }

    synchronized CheckOutcome outcome() {
      return new CheckOutcome(checked, lost, wrong, unread, examples);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
