package io.counterpart.lab.run;

import io.counterpart.lab.setup.Progress;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/**
 * Adds to every step the number of blocks done and the time left, at the pace of the blocks so far.
 */
public final class CountedProgress implements Progress {
  private final Progress progress;
  private final int blocks;
  private final IntSupplier done;
  private long startNanos;

  /**
   * Tells another progress, with the rest.
   *
   * @param blocks of the whole run
   * @param done blocks measured so far
   */
  public CountedProgress(Progress progress, int blocks, IntSupplier done) {
    this.progress = progress;
    this.blocks = blocks;
    this.done = done;
  }

  @Override
  public void say(String line) {
    progress.say(line);
  }

  @Override
  public LongConsumer step(String label, long total) {
    // the start of the servers tells nothing about blocks
    startNanos = startNanos == 0 ? System.nanoTime() : startNanos;
    return progress.step(label + rest(System.nanoTime() - startNanos), total);
  }

  /** For example " (12 of 40 blocks, about 7 min left)". */
  String rest(long elapsedNanos) {
    int measured = done.getAsInt();
    if (measured == 0 || measured >= blocks) {
      return "";
    }
    Duration left = Duration.ofNanos(elapsedNanos / measured * (blocks - measured));
    String time = left.toMinutes() > 0 ? left.toMinutes() + " min" : left.toSeconds() + " s";
    return " (%d of %d blocks, about %s left)".formatted(measured, blocks, time);
  }
}
