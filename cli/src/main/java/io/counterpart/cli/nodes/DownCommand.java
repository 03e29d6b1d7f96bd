package io.counterpart.cli.nodes;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code counterpart down}: stops the cluster. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description =
        "Stops every node of the cluster, also after the process that started them was killed."
            + " Its data stays for the next up. A command that is starting nodes fails by that, and"
            + " down waits for its end.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing runs any more",
      "1:a process could not be stopped, or another command that starts nodes there does not end",
      "3:the directory cannot be written to, as on a full disk; nodes that ran are stopped"
    })
public final class DownCommand implements Callable<Integer> {

  /** Longer than servers take to start and stores in memory to be written. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final int POLL_MILLIS = 500;

  private final Set<Integer> stopped = new TreeSet<>();

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @Option(names = "--purge", description = "Also delete the data and logs.")
  private boolean purge;

  @Override
  public Integer call() throws IOException {
    boolean found = isHome() && stopAll();
    output.result(
        Map.of("stopped", stopped, "purged", purge && found),
        stopped.isEmpty()
            ? "nothing runs under " + home.path()
            : "stopped " + stopped.size() + " nodes");
    return ExitCodes.OK;
  }

  /** Any other directory is left as it is: no command can be starting nodes there. */
  private boolean isHome() {
    return StartLock.isKnown(home.path()) || Cluster.recorded(home.path()).isPresent();
  }

  /** Under the lock: else another command could launch a node after the look at what runs. */
  private boolean stopAll() throws IOException {
    try (StartLock lock = lock()) {
      Optional<Cluster> recorded = Cluster.recorded(home.path());
      recorded.ifPresent(cluster -> stop(cluster, purge ? Cluster::purge : Cluster::close));
      return recorded.isPresent();
    } catch (PreconditionException unwritable) {
      // nor can another command begin there
      Cluster.attach(home.path()).ifPresent(cluster -> stop(cluster, Cluster::close));
      throw unwritable;
    }
  }

  /** Stops what another command starts until that command ends: one that hangs ends by it. */
  private StartLock lock() throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    Optional<StartLock> lock = StartLock.tryTake(home.path());
    if (lock.isEmpty()) {
      output.progress("another command starts or stops nodes there: waiting for its end");
    }
    while (lock.isEmpty()) {
      Cluster.attach(home.path()).ifPresent(cluster -> stop(cluster, Cluster::close));
      ProcessIdentity.pause(POLL_MILLIS);
      lock = StartLock.tryTake(home.path());
      if (lock.isEmpty() && System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "another command still starts or stops nodes under %s; end it, and repeat this"
                .formatted(home.path()));
      }
    }
    return lock.get();
  }

  private void stop(Cluster cluster, Consumer<Cluster> how) {
    List<Integer> running =
        cluster.nodes().stream().filter(Node::isAlive).map(Node::index).toList();
    if (!running.isEmpty()) {
      output.progress("stopping " + running.size() + " nodes");
    }
    stopped.addAll(running);
    how.accept(cluster);
  }
}
