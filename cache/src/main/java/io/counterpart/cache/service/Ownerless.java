package io.counterpart.cache.service;

import io.counterpart.cache.service.peer.TakeoverTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that no proxy owns a tier, again as long as it is so. Belongs to the deciding thread. */
final class Ownerless {
  private static final Logger logger = LoggerFactory.getLogger(Ownerless.class);
  private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path directory;
  private final @Nullable TakeoverTurn turn;
  private long sinceNanos = System.nanoTime();

  /**
   * @param directory of the metadata
   * @param turn of this proxy; null without proxies on other machines
   */
  Ownerless(Path directory, @Nullable TakeoverTurn turn) {
    this.directory = directory;
    this.turn = turn;
  }

  /** It is owned, here or elsewhere. */
  void ends() {
    sinceNanos = System.nanoTime();
  }

  void goesOn() throws IOException {
    if (System.nanoTime() - sinceNanos < BETWEEN_NANOS) {
      return;
    }
    sinceNanos = System.nanoTime();
    logger.warn(
        "no proxy is reached that owns the tier in {}: {}",
        directory,
        turn == null
            ? "another proxy of this machine has its metadata, and does not answer"
            : turn.why());
  }
}
