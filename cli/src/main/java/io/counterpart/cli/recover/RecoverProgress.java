package io.counterpart.cli.recover;

import io.counterpart.cli.console.Output;
import io.counterpart.recovery.RecoveryListener;
import io.counterpart.recovery.RecoveryProgress;
import java.time.Duration;
import java.util.Locale;

/** The progress of each role on standard error: after each range, and every few seconds. */
final class RecoverProgress implements RecoveryListener {
  private static final long QUIET_NANOS = 5_000_000_000L;
  private static final double MEBI = 1 << 20;

  private final Output output;
  private int saidDone = -1;
  private long saidNanos = System.nanoTime();

  RecoverProgress(Output output) {
    this.output = output;
  }

  @Override
  public void say(String line) {
    output.progress(line);
  }

  @Override
  public void progress(RecoveryProgress progress) {
    int done = progress.primaryDone() + progress.redundantDone();
    long now = System.nanoTime();
    if (done == saidDone && now - saidNanos < QUIET_NANOS) {
      return;
    }
    saidDone = done;
    saidNanos = now;
    output.progress(line(progress));
  }

  static String line(RecoveryProgress progress) {
    return String.format(
        Locale.ROOT,
        "%s: primary ranges %d of %d, redundant ranges %d of %d, %.1f MiB received, %s",
        progress.keyspace(),
        progress.primaryDone(),
        progress.primaryTotal(),
        progress.redundantDone(),
        progress.redundantTotal(),
        progress.streamedBytes() / MEBI,
        progress.remaining().map(RecoverProgress::left).orElse("time left unknown yet"));
  }

  private static String left(Duration remaining) {
    long seconds = remaining.toSeconds();
    return seconds < 120 ? "about " + seconds + " s left" : "about " + seconds / 60 + " min left";
  }
}
