package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Orders the operations on each key: in order of arrival, reads in parallel, a change alone.
 * Belongs to the tier's event loop.
 */
final class KeyTurns {
  private final Map<Key, Queue> queues = new HashMap<>();

  /** Runs a read once earlier changes have left. The read leaves once, later or at once. */
  void shared(Key key, Runnable body) {
    add(key, new Turn(body, false));
  }

  /**
   * Runs a change once all earlier operations have left. The change leaves once, later or at once.
   */
  void alone(Key key, Runnable body) {
    add(key, new Turn(body, true));
  }

  private void add(Key key, Turn turn) {
    Queue queue = queues.computeIfAbsent(key, k -> new Queue());
    queue.waiting.add(turn);
    advance(key, queue);
  }

  void leave(Key key) {
    Queue queue = queues.get(key);
    if (queue == null || queue.underWay == 0) {
      throw new IllegalStateException("nobody has a turn of key " + key);
    }
    queue.underWay--;
    queue.alone = false;
    advance(key, queue);
  }

  private void advance(Key key, Queue queue) {
    if (queue.advancing) {
      return; // the loop below, further up the stack, goes on
    }
    queue.advancing = true;
    for (Turn next = queue.due(); next != null; next = queue.due()) {
      queue.waiting.remove();
      queue.underWay++;
      queue.alone = next.alone();
      next.body().run();
    }
    queue.advancing = false;
    if (queue.underWay == 0) {
      queues.remove(key);
    }
  }

  private record Turn(Runnable body, boolean alone) {}

  private static final class Queue {
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>(2);
    private int underWay;
    private boolean alone;
    private boolean advancing;

    /** The first waiting operation, if it may begin. */
    @Nullable Turn due() {
      Turn next = waiting.peek();
      return next != null && (underWay == 0 || !alone && !next.alone()) ? next : null;
    }
  }
}
