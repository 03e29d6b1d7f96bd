package io.counterpart.cache.store;

import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.StoreAccess.ReadEnd;
import io.counterpart.cache.tier.Status;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A record in the store that exists while memory may hold outdated objects. A proxy that finds the
 * marker at start-up empties memory first. Belongs to the tier's event loop.
 */
final class Marker {
  private static final PersistentRecord RECORD = new PersistentRecord(new byte[0], 0, 0, false, 0);

  private final Key key;
  private final StoreAccess access;
  private final Gates<Key> turns;
  private State state = State.UNKNOWN;

  Marker(Key key, StoreAccess access, Gates<Key> turns) {
    this.key = key;
    this.access = access;
    this.turns = turns;
  }

  private enum State {
    ABSENT,
    PRESENT,
    /**
     * A write or deletion of the marker that has failed, or is another proxy's, may take effect.
     */
    UNKNOWN
  }

  /** Reads the marker; passes on whether it exists, or why the store does not answer. */
  void read(Consumer<ReadEnd> done) {
    access.read(
        key,
        end -> {
          // one that is there may still be deleted, by what the proxy before has sent
          if (end.status() == Status.NOT_FOUND) {
            state = State.ABSENT;
          }
          done.accept(end);
        });
  }

  /** Writes the marker, unless it exists; passes on whether it exists then. */
  void set(Consumer<Boolean> done) {
    if (state == State.PRESENT) {
      done.accept(true);
      return;
    }
    turns.enterAlone(
        key,
        () -> {
          if (state == State.PRESENT) {
            turns.leave(key);
            done.accept(true);
            return;
          }
          access.write(
              key,
              RECORD,
              outcome -> {
                state = outcome.status() == Status.DONE ? State.PRESENT : State.UNKNOWN;
                boolean isSet = state == State.PRESENT;
                turns.leave(key);
                done.accept(isSet);
              });
        });
  }

  /** Deletes the marker, unless it is needed by then; passes on whether no retry is necessary. */
  void clear(BooleanSupplier needed, Consumer<Boolean> done) {
    turns.enterAlone(
        key,
        () -> {
          if (state == State.ABSENT || needed.getAsBoolean()) {
            turns.leave(key);
            done.accept(true);
            return;
          }
          state = State.UNKNOWN; // from here on it may be gone
          access.delete(
              key,
              outcome -> {
                state = outcome.status() == Status.DONE ? State.ABSENT : State.UNKNOWN;
                boolean isCleared = state == State.ABSENT;
                turns.leave(key);
                done.accept(isCleared);
              });
        });
  }
}
