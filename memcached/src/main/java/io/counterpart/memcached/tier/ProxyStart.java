package io.counterpart.memcached.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Starts a proxy and waits until it serves clients. */
final class ProxyStart {

  private static final int POLL_MILLIS = 25;
  private static final int CAUSE_LINES = 3;

  private final Process process;
  private final Path log;
  private final int linesBefore;

  private ProxyStart(Process process, Path log, int linesBefore) {
    this.process = process;
    this.log = log;
    this.linesBefore = linesBefore;
  }

  /**
   * @param log gets the output, after its present content
   */
  static ProxyStart launch(List<String> command, Path home, Path log) {
    try {
      Files.createDirectories(home);
      int linesBefore = Files.exists(log) ? lines(log).size() : 0;
      Process process =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new ProxyStart(process, log, linesBefore);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot launch the proxy: " + e.getMessage(), e);
    }
  }

  /**
   * The identity of the process.
   *
   * @throws TierStartException if it has ended already
   */
  ProcessIdentity identity() {
    return ProcessIdentity.of(process.pid()).orElseThrow(() -> failed(lastWords()));
  }

  /** SIGKILL; returns when the process is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /**
   * Returns when the proxy serves clients.
   *
   * @throws TierStartException if it ends instead, or the time has passed
   */
  void await(BooleanSupplier answers, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      boolean answered = answers.getAsBoolean();
      // after the question: an answer may have been that of another, which took the port
      if (!process.isAlive()) {
        throw failed(lastWords());
      }
      if (answered) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed("it does not answer after " + limit.toSeconds() + " s");
      }
      pause();
    }
  }

  private void pause() {
    try {
      // an end is noticed at once
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for the proxy");
    }
  }

  private TierStartException failed(String cause) {
    return new TierStartException(cause, log);
  }

  /** The end of this process's output. */
  private String lastWords() {
    try {
      List<String> all = lines(log);
      List<String> own =
          all.subList(Math.min(linesBefore, all.size()), all.size()).stream()
              .filter(line -> !line.isBlank())
              .toList();
      return own.isEmpty()
          ? "its process ended without a message"
          : String.join("; ", own.subList(Math.max(0, own.size() - CAUSE_LINES), own.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    // not readAllLines, which refuses what is no UTF-8
    return new String(Files.readAllBytes(file), UTF_8).lines().toList();
  }
}
