package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.metadata.MetadataLog;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a checkpoint of the metadata log when superseded records outnumber live ones. Checks at
 * intervals. Belongs to the shard's event loop.
 */
public final class Checkpoints {
  private static final Logger logger = LoggerFactory.getLogger(Checkpoints.class);
  private static final int SECONDS = 10;

  private final MetadataLog log;
  private final GuardedLoop loop;
  private final Runnable failed;
  private boolean ended;

  /**
   * @param failed runs if a checkpoint fails; no further one is made
   */
  public Checkpoints(MetadataLog log, GuardedLoop loop, Runnable failed) {
    this.log = log;
    this.loop = loop;
    this.failed = failed;
  }

  public void begin() {
    if (ended) {
      return;
    }
    try {
      if (log.checkpointDue()) {
        log.checkpoint();
      }
    } catch (IOException e) {
      logger.error("a checkpoint of the metadata has failed", e);
      ended = true;
      failed.run();
      return;
    }
    loop.schedule(this::begin, SECONDS, TimeUnit.SECONDS);
  }

  public void end() {
    ended = true;
  }
}
