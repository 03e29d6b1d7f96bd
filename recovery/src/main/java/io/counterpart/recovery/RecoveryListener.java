package io.counterpart.recovery;

/** Listens to a recovery in progress. Called by the thread that runs it. */
public interface RecoveryListener {
  /** Hears nothing. */
  RecoveryListener DEAF =
      new RecoveryListener() {
        @Override
        public void say(String line) {}

        @Override
        public void progress(RecoveryProgress progress) {}
      };

  /** Something began or ended. */
  void say(String line);

  /** A step advanced; several times a second at most. */
  void progress(RecoveryProgress progress);

  /** All ranges of a keyspace are there; what follows is their comparison. */
  default void restored(String keyspace) {}
}
