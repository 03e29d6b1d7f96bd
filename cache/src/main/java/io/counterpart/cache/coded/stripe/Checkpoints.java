package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.metadata.Checkpoint;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.disk.DiskAction;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a checkpoint of the metadata log when superseded records outnumber live ones. Checks at
 * intervals. A checkpoint is written in short slices between clients' requests, and a thread of its
 * own waits for the disk. Belongs to the shard's event loop.
 */
public final class Checkpoints {
  private static final Logger logger = LoggerFactory.getLogger(Checkpoints.class);
  private static final int SECONDS = 10;

  /** Time for one slice: a millisecond of each five. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long BETWEEN_MILLIS = 4;

  private final MetadataLog log;
  private final GuardedLoop loop;
  private final Runnable failed;
  private final ExecutorService thread;
  private boolean ended;

  /**
   * @param failed runs if a checkpoint fails; no further one is made
   */
  public Checkpoints(MetadataLog log, GuardedLoop loop, Runnable failed) {
    this.log = log;
    this.loop = loop;
    this.failed = failed;
    this.thread =
        Executors.newSingleThreadExecutor(new DefaultThreadFactory("metadata-checkpoint", true));
  }

  public void begin() {
    attempt(
        () -> {
          if (log.checkpointDue()) {
            log.beginCheckpoint();
            loop.schedule(this::write, BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
          } else {
            loop.schedule(this::begin, SECONDS, TimeUnit.SECONDS);
          }
        });
  }

  private void write() {
    attempt(
        () -> {
          boolean isWritten = log.writeCheckpoint(SLICE_NANOS);
          Checkpoint disk = log.checkpointUnderWay();
          if (isWritten) {
            onThread(disk::commit, this::switched);
          } else {
            if (disk.isToBeSynced()) {
              onThread(disk::sync, () -> {});
            }
            loop.schedule(this::write, BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
          }
        });
  }

  private void onThread(DiskAction step, Runnable done) {
    thread.execute(
        () -> {
          Runnable then = done;
          try {
            step.run();
          } catch (IOException | RuntimeException | Error e) {
            then = () -> fail(e);
          }
          try {
            loop.execute(then);
          } catch (RejectedExecutionException closed) {
            logger.debug("the shard has ended", closed);
          }
        });
  }

  private void switched() {
    attempt(
        () -> {
          log.endCheckpoint();
          loop.schedule(this::begin, SECONDS, TimeUnit.SECONDS);
        });
  }

  private void attempt(DiskAction step) {
    if (ended) {
      return;
    }
    try {
      step.run();
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(Throwable why) {
    if (!ended) {
      logger.error("a checkpoint of the metadata has failed", why);
      ended = true;
      failed.run();
    }
  }

  /** Makes no further checkpoint, and does not end the one under way. */
  public void end() {
    ended = true;
    thread.shutdown();
  }
}
