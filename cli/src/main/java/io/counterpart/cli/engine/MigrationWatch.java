package io.counterpart.cli.engine;

import io.counterpart.cli.console.Output;
import io.counterpart.lab.remote.EngineMigration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Begins a migration and watches it until every node is done, or for a time.
 *
 * @param seconds how long
 */
record MigrationWatch(Output output, int seconds) {
  private static final long POLL_MILLIS = 1_000;

  /**
   * How it stands at the end.
   *
   * @param text for people
   */
  record Outcome(boolean isDone, List<EngineMigration.Progress> nodes, String text) {}

  /**
   * Says on standard error what goes on.
   *
   * @param table {@code keyspace.table}
   */
  Outcome run(EngineMigration migration, String table, String engine) throws InterruptedException {
    output.progress(
        migration.begin()
            ? "%s has memtable = '%s' now".formatted(table, engine)
            : "%s has memtable = '%s' already".formatted(table, engine));
    long start = System.nanoTime();
    String last = "";
    while (true) {
      List<EngineMigration.Progress> nodes = migration.progress();
      String lines = nodes.stream().map(MigrationWatch::line).collect(Collectors.joining("\n"));
      if (!lines.equals(last)) {
        output.progress(lines);
        last = lines;
      }
      boolean isDone = nodes.stream().allMatch(EngineMigration.Progress::isDone);
      if (isDone || System.nanoTime() - start > seconds * 1_000_000_000L) {
        return new Outcome(
            isDone,
            nodes,
            isDone
                ? "%s is on %s on all %d nodes".formatted(table, engine, nodes.size())
                : "%s is not on %s on every node after %d s; the nodes go on"
                    .formatted(table, engine, seconds));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static String line(EngineMigration.Progress node) {
    return node.isDone()
        ? "%s: done".formatted(node.node())
        : "%s: %.1f MB left, %s".formatted(node.node(), node.bytesLeft() / 1e6, node.state());
  }
}
