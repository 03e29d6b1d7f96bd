package io.counterpart.cli.cache;

import io.counterpart.cache.control.ChangeReport;
import io.counterpart.cli.console.TerminalProgress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The progress of a change of servers: a bar on a terminal, else a line every few seconds. */
final class ChangeProgress implements Consumer<Optional<ChangeReport>>, AutoCloseable {
  private static final long QUIET_NANOS = 5_000_000_000L;

  private final TerminalProgress terminal;
  private final boolean bars;
  private final Runnable begun;
  private @Nullable LongConsumer step;
  private boolean hasBegun;
  private long saidNanos = System.nanoTime();

  /**
   * @param bars whether the terminal shows bars
   * @param begun called once, when the change has begun
   */
  ChangeProgress(TerminalProgress terminal, boolean bars, Runnable begun) {
    this.terminal = terminal;
    this.bars = bars;
    this.begun = begun;
  }

  @Override
  public void accept(Optional<ChangeReport> report) {
    if (!hasBegun) {
      hasBegun = true;
      begun.run();
    }
    report.ifPresent(this::show);
  }

  private void show(ChangeReport change) {
    if (bars) {
      if (step == null && change.stripesInAll() > 0) {
        step = terminal.step(change.doing() + " servers", change.stripesInAll());
      }
      if (step != null) {
        step.accept(change.stripesInAll() - change.stripesLeft());
      }
    } else if (System.nanoTime() - saidNanos > QUIET_NANOS) {
      saidNanos = System.nanoTime();
      terminal.say(change.toString());
    }
  }

  @Override
  public void close() {
    terminal.close();
  }
}
