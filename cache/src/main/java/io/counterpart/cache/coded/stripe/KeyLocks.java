package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.protocol.Key;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serialises the changes of each key in order of arrival. A move counts as a change: it alters an
 * object's place but not the object, so reads do not wait for it. Belongs to the shard's event
 * loop.
 */
public final class KeyLocks {
  private final Gates<Key> gates = new Gates<>();

  /** Keys with a move under way. */
  private final Set<Key> moving = new HashSet<>();

  /** What came while new changes were held back, the oldest first. */
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  private boolean paused;

  /** Whether what was held back is on its way in: what comes meanwhile comes after it. */
  private boolean resuming;

  private @Nullable Runnable whenIdle;

  private record Held(Runnable begin, boolean isPause) {}

  /**
   * Runs a body once all earlier ones on the key are unlocked. The body unlocks the key once, later
   * or at once.
   */
  public void lock(Key key, Runnable body) {
    if (isPaused()) {
      held.add(new Held(() -> lockNow(key, body), false));
    } else {
      lockNow(key, body);
    }
  }

  private void lockNow(Key key, Runnable body) {
    gates.enterAlone(key, body);
    tellIfIdle();
  }

  /** As {@link #lock}, for a move. */
  public void lockToMove(Key key, Runnable body) {
    lock(
        key,
        () -> {
          moving.add(key);
          body.run();
        });
  }

  /** Whether a change of the key, other than a move, is under way or waits. */
  public boolean isLocked(Key key) {
    return isPaused()
        || !gates.isEmpty() && gates.isBusy(key) && (gates.isAwaited(key) || !moving.contains(key));
  }

  /** Whether {@link #lock} would run its body at once. */
  public boolean isIdle(Key key) {
    return !isPaused() && !gates.isBusy(key);
  }

  public void unlock(Key key) {
    moving.remove(key);
    gates.leave(key);
    tellIfIdle();
  }

  /**
   * Holds back new changes until {@link #resume}; changes that already wait still run. During
   * another pause, the new pause begins behind the changes held back.
   *
   * @param idle runs once the running and waiting changes have ended
   */
  public void pause(Runnable idle) {
    if (isPaused()) {
      held.add(new Held(() -> pauseNow(idle), true));
    } else {
      pauseNow(idle);
    }
  }

  private void pauseNow(Runnable idle) {
    paused = true;
    whenIdle = idle;
    tellIfIdle();
  }

  /** Whether changes are held back that came after the last {@link #pause}. */
  public boolean hasHeldMore() {
    return !held.isEmpty() && !held.getLast().isPause();
  }

  /** Whether new changes are held back. */
  public boolean isPaused() {
    return paused || resuming;
  }

  /** Lets in what was held back, up to the next pause. */
  public void resume() {
    paused = false;
    if (resuming) {
      return; // the loop below, further up the stack, goes on
    }
    resuming = true;
    while (!paused && !held.isEmpty()) {
      held.remove().begin().run();
    }
    resuming = false;
  }

  private void tellIfIdle() {
    Runnable idle = whenIdle;
    if (gates.isEmpty() && idle != null) {
      whenIdle = null;
      idle.run();
    }
  }
}
