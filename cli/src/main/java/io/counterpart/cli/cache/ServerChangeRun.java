package io.counterpart.cli.cache;

import io.counterpart.cache.control.ChangeCancelledException;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierLock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Runs a change of servers through a running proxy: shows its progress and updates the record. */
final class ServerChangeRun {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(10);
  private static final int LOCK_POLL_MILLIS = 100;

  private final RunningTier running;
  private final @Nullable TierLock lock;
  private final Output output;

  /**
   * @param lock of the tier; released when the change has begun, because others may then need it
   */
  ServerChangeRun(RunningTier running, @Nullable TierLock lock, Output output) {
    this.running = running;
    this.lock = lock;
    this.output = output;
  }

  /** For a change that another command has begun: the lock is not needed before its end. */
  ServerChangeRun(RunningTier running, Output output) {
    this(running, null, output);
  }

  /**
   * Runs a change to its end.
   *
   * @return exit code
   * @throws IllegalArgumentException if the change is illegal; nothing has changed
   * @throws PreconditionException if it cannot be made now; nothing has changed
   * @throws IOException if the proxy ends meanwhile
   */
  int run(ServerChange change) throws IOException {
    try (ChangeProgress progress =
        new ChangeProgress(
            TerminalProgress.standardError(), System.console() != null, () -> begun(change))) {
      running.client().change(change, progress);
    } catch (IllegalStateException e) {
      settle(running.tier());
      throw new PreconditionException(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      settle(running.tier());
      throw e;
    } catch (ChangeCancelledException e) {
      output.progress(String.valueOf(e.getMessage()));
      unlock();
      end();
      return ExitCodes.FAILURE;
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "; the change goes on when the proxy runs again: counterpart cache up",
          e);
    }
    unlock();
    return end();
  }

  /**
   * Ends the change under way before its next wave; returns when it has ended.
   *
   * @return exit code
   * @throws PreconditionException if there is none
   * @throws IOException if the proxy ends meanwhile
   */
  int cancel() throws IOException {
    try {
      running.client().cancelChange(report -> {});
    } catch (IllegalStateException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
    return end();
  }

  private void unlock() {
    if (lock != null) {
      lock.close();
    }
  }

  private void begun(ServerChange change) {
    unlock();
    output.progress(
        "%s %s; Ctrl-C ends this command only, counterpart cache status shows how far the change is"
            .formatted(
                change.kind().doing(),
                change.servers().size() == 1
                    ? change.servers().get(0)
                    : change.servers().size() + " servers"));
  }

  /** Updates the record at the end; other commands may have changed it meanwhile. */
  private int end() {
    Optional<TierLock> taken = takeLock();
    if (taken.isEmpty()) {
      output.progress(
          "another command works on the tier: counterpart cache up stops servers no longer needed");
      return show();
    }
    try {
      Tier.recorded(running.home().path()).ifPresent(this::settle);
    } finally {
      taken.get().close();
    }
    return show();
  }

  private void settle(Tier tier) {
    RecordedServers.settle(tier, running.home()).forEach(output::progress);
  }

  private int show() {
    Optional<Tier> tier = Tier.recorded(running.home().path());
    if (tier.isEmpty()) {
      throw new PreconditionException("the tier was stopped meanwhile");
    }
    TierView view = TierView.of(running.home(), tier.get());
    output.result(view.json(), view.text());
    return ExitCodes.OK;
  }

  private Optional<TierLock> takeLock() {
    long deadline = System.nanoTime() + LOCK_LIMIT.toNanos();
    Optional<TierLock> taken = TierLock.take(running.home().path());
    while (taken.isEmpty() && System.nanoTime() < deadline) {
      pause();
      taken = TierLock.take(running.home().path());
    }
    return taken;
  }

  private static void pause() {
    try {
      Thread.sleep(LOCK_POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  /** The addresses of a list, for people. */
  static String names(List<?> servers) {
    return String.join(" ", servers.stream().map(String::valueOf).toList());
  }
}
