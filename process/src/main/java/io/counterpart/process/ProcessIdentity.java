package io.counterpart.process;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The identity of a process: its id and its start time, so that an id that the system gave to
 * another process is never signalled. Reads Linux's /proc. Thread-safe.
 *
 * @param startTicks field 22 of /proc/PID/stat: clock ticks from boot to the start
 */
public record ProcessIdentity(long pid, long startTicks) {

  /** USER_HZ, which Linux fixes at 100 for what it shows in /proc. */
  private static final long MILLIS_PER_TICK = 10;

  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

  private static final int STATE = 0;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final int THREADS = 17;
  private static final int START_TICKS = 19;

  /** The process that has this id now; empty if there is none. */
  public static Optional<ProcessIdentity> of(long pid) {
    return stat(pid).map(fields -> new ProcessIdentity(pid, number(fields, START_TICKS)));
  }

  /** The process that was started with an argument, whole; empty if there is none. */
  public static Optional<ProcessIdentity> withArgument(String argument) {
    return matching(line -> line.contains(argument));
  }

  /**
   * As {@link #withArgument(String)}, of some programs alone: a file that is a server's argument
   * may be that of an editor, too.
   *
   * @param programs file names
   */
  public static Optional<ProcessIdentity> withArgument(List<String> programs, String argument) {
    return matching(line -> line.contains(argument) && programs.contains(fileName(line.get(0))));
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Optional<ProcessIdentity> matching(Predicate<List<String>> wanted) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> wanted.test(arguments(pid)))
        .flatMap(pid -> of(pid).stream())
        .filter(ProcessIdentity::isAlive)
        .findFirst();
  }

  /** False also for a zombie: all threads ended, but its parent has not collected it yet. */
  @JsonIgnore
  public boolean isAlive() {
    return ownStat().isPresent();
  }

  /** User and system time so far; empty once the process is gone. */
  public Optional<Duration> cpuTime() {
    return ownStat()
        .map(
            fields ->
                Duration.ofMillis(
                    (number(fields, USER_TICKS) + number(fields, SYSTEM_TICKS)) * MILLIS_PER_TICK));
  }

  /**
   * Bytes fetched from disks so far, without hits of the page cache; 0 where /proc/PID/io is gone
   * or closed to us. For bytes written see {@link Disk#bytesWritten}.
   */
  public long diskReadBytes() {
    String name = "read_bytes: ";
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/io"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.substring(name.length())))
          .sum();
    } catch (IOException | UncheckedIOException gone) {
      return 0;
    }
  }

  /** Memory that is no page cache, in bytes; 0 once the process is gone. */
  public long anonymousBytes() {
    String name = "RssAnon:";
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException | UncheckedIOException gone) {
      return 0;
    }
  }

  /** SIGKILL; returns once the process is gone. */
  public void kill() {
    handle().ifPresent(ProcessHandle::destroyForcibly);
    if (!awaitExit(Duration.ofSeconds(30))) {
      throw new IllegalStateException("process " + pid + " survives SIGKILL for 30 s");
    }
  }

  /** SIGTERM; does not wait. A paused process goes on, since it would not hear it. */
  public void terminate() {
    handle().ifPresent(ProcessHandle::destroy);
    if (isPaused()) {
      signal("CONT");
    }
  }

  /** Whether all its threads stand still until it is resumed. */
  @JsonIgnore
  public boolean isPaused() {
    List<String> states = threadStates(pid);
    return isAlive() && !states.isEmpty() && states.stream().allMatch("T"::equals);
  }

  /** SIGSTOP; returns once no thread of it runs. A process that is gone is left as it is. */
  public void pause() {
    signalAndAwait("STOP", () -> isPaused() || !isAlive());
  }

  /** SIGCONT; returns once it runs. A process that is gone is left as it is. */
  public void resume() {
    signalAndAwait("CONT", () -> !isPaused());
  }

  /** True if the process is gone before the limit. */
  public boolean awaitExit(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (isAlive()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      pause(20);
    }
    return true;
  }

  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for a process");
    }
  }

  private void signalAndAwait(String name, BooleanSupplier effect) {
    signal(name);
    long deadline = System.nanoTime() + SIGNAL_LIMIT.toNanos();
    while (!effect.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "process " + pid + " ignores SIG" + name + " for " + SIGNAL_LIMIT.toSeconds() + " s");
      }
      pause(20);
    }
  }

  // by the shell's own kill: the JDK knows but two signals, and a small system has no other kill
  private void signal(String name) {
    if (!isAlive()) {
      return;
    }
    try {
      Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start();
      if (kill.waitFor() != 0 && isAlive()) {
        throw new IllegalStateException("process " + pid + " cannot be sent SIG" + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot signal process " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while signalling a process");
    }
  }

  private Optional<ProcessHandle> handle() {
    return isAlive() ? ProcessHandle.of(pid) : Optional.empty();
  }

  private Optional<List<String>> ownStat() {
    return stat(pid)
        .filter(fields -> number(fields, START_TICKS) == startTicks)
        .filter(fields -> !ended(fields));
  }

  // the first thread of a killed process is a zombie while the others still hold its ports
  private static boolean ended(List<String> fields) {
    boolean leaderEnded = fields.get(STATE).equals("Z") || fields.get(STATE).equals("X");
    return leaderEnded && number(fields, THREADS) <= 1;
  }

  /** Of each thread; the first one's may lag behind the others'. */
  private static List<String> threadStates(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
      return threads.flatMap(thread -> stat(thread).stream()).map(f -> f.get(STATE)).toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static Optional<List<String>> stat(long pid) {
    return stat(Path.of("/proc", String.valueOf(pid)));
  }

  /** The fields after the command name, which may itself hold blanks and parentheses. */
  private static Optional<List<String>> stat(Path directory) {
    try {
      // in one read: /proc makes its text anew for each
      String line = Files.readAllLines(directory.resolve("stat")).get(0);
      return Optional.of(List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static List<String> arguments(long pid) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc", String.valueOf(pid), "cmdline"));
      return List.of(new String(line, Charset.defaultCharset()).split("\0", -1));
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static long number(List<String> fields, int index) {
    return Long.parseLong(fields.get(index));
  }
}
