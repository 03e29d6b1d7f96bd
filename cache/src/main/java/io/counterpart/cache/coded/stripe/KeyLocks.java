package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.protocol.Key;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serialises the changes of each key in order of arrival. A move counts as a change: it alters an
 * object's place but not the object, so reads do not wait for it. Belongs to the shard's event
 * loop.
 */
public final class KeyLocks {
  private static final int USUAL_WAITING = 1;

  private final Map<Key, Queue> queues = new HashMap<>();

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
    if (holdsBack()) {
      held.add(new Held(() -> lockNow(key, body), false));
    } else {
      lockNow(key, body);
    }
  }

  private void lockNow(Key key, Runnable body) {
    Queue queue = queues.computeIfAbsent(key, k -> new Queue());
    queue.waiting.add(body);
    advance(key, queue);
  }

  private boolean holdsBack() {
    return paused || resuming;
  }

  /** As {@link #lock}, for a move. */
  public void lockToMove(Key key, Runnable body) {
    lock(key, new Move(body));
  }

  /** Whether a change of the key, other than a move, is under way or waits. */
  public boolean isLocked(Key key) {
    if (holdsBack()) {
      return true;
    }
    Queue queue = queues.isEmpty() ? null : queues.get(key);
    return queue != null && !(queue.held && queue.moving && queue.waiting.isEmpty());
  }

  /** Whether {@link #lock} would run its body at once. */
  public boolean isIdle(Key key) {
    return !holdsBack() && !queues.containsKey(key);
  }

  public void unlock(Key key) {
    Queue queue = queues.get(key);
    if (queue == null || !queue.held) {
      throw new IllegalStateException("key " + key + " is not locked");
    }
    queue.held = false;
    advance(key, queue);
  }

  /**
   * Holds back new changes until {@link #resume}; changes that already wait still run. During
   * another pause, the new pause begins behind the changes held back.
   *
   * @param idle runs once the running and waiting changes have ended
   */
  public void pause(Runnable idle) {
    if (holdsBack()) {
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
    return holdsBack();
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
    if (queues.isEmpty() && idle != null) {
      whenIdle = null;
      idle.run();
    }
  }

  private void advance(Key key, Queue queue) {
    if (queue.advancing) {
      return; // the loop below, further up the stack, goes on
    }
    queue.advancing = true;
    while (!queue.held && !queue.waiting.isEmpty()) {
      queue.held = true;
      Runnable body = queue.waiting.remove();
      queue.moving = body instanceof Move;
      body.run();
    }
    queue.advancing = false;
    if (!queue.held && queue.waiting.isEmpty()) {
      queues.remove(key);
      tellIfIdle();
    }
  }

  private static final class Queue {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(USUAL_WAITING);
    private boolean held;
    private boolean moving;
    private boolean advancing;
  }

  private record Move(Runnable body) implements Runnable {
    @Override
    public void run() {
      body.run();
    }
  }
}
