package io.counterpart.lab.remote;

import io.counterpart.lab.setup.OwnKeyspaces;
import io.counterpart.lab.setup.Progress;

/**
 * Drops a run's keyspaces at its end, whatever ends it, Ctrl-C included. It reports each keyspace
 * that it could not drop, with the statement that would.
 */
final class KeyspaceRemoval implements AutoCloseable {
  private final OwnKeyspaces keyspaces;
  private final Progress progress;
  private final Thread exitHook = new Thread(this::drop, "drop-keyspaces");

  private KeyspaceRemoval(OwnKeyspaces keyspaces, Progress progress) {
    this.keyspaces = keyspaces;
    this.progress = progress;
  }

  /** Bound to the process's end from now on. */
  static KeyspaceRemoval upTo(OwnKeyspaces keyspaces, Progress progress) {
    KeyspaceRemoval removal = new KeyspaceRemoval(keyspaces, progress);
    Runtime.getRuntime().addShutdownHook(removal.exitHook);
    return removal;
  }

  /** Whoever comes second, the run or the exit, waits for the first and finds nothing left. */
  private void drop() {
    keyspaces
        .dropAll()
        .forEach(
            (keyspace, reason) ->
                progress.say(
                    "could not drop a keyspace (%s); do it with: DROP KEYSPACE %s"
                        .formatted(reason, keyspace)));
  }

  @Override
  public void close() {
    drop();
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException exiting) {
      // the hook has run, or waited for what is done now
      return;
    }
  }
}
