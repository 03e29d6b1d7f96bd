package io.counterpart.core.selection.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events in the order of time, those of one time in the order of their arrival. A binary heap on
 * arrays: a simulation has millions of events, and objects for each would be half of its time. Not
 * thread-safe.
 */
final class EventQueue {

  /** The kind of an event. */
  enum Kind {
    ARRIVAL,
    AT_NODE,
    SERVED,
    ANSWER,
    PING_ANSWER,
    PAUSE,
    TICK
  }

  /**
   * @param node the event's node; of a ping's answer also the one that asked, as {@code asker ·
   *     65536 + node}
   */
  record Event(long at, Kind kind, int node, @Nullable SimulatedRead read) {}

  private Event[] heap = new Event[1_024];
  private long[] sequences = new long[1_024];
  private int size;
  private long added;

  void add(Event event) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
      sequences = Arrays.copyOf(sequences, 2 * size);
    }
    int at = size++;
    long sequence = added++;
    while (at > 0 && isBefore(event, sequence, (at - 1) / 2)) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    heap[at] = event;
    sequences[at] = sequence;
  }

  /** The next event; there must be one. */
  Event poll() {
    Event first = heap[0];
    size--;
    Event last = heap[size];
    long sequence = sequences[size];
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && isBefore(heap[child + 1], sequences[child + 1], child)) {
        child++;
      }
      if (isBefore(last, sequence, child)) {
        break;
      }
      move(child, at);
      at = child;
      child = 2 * at + 1;
    }
    heap[at] = last;
    sequences[at] = sequence;
    return first;
  }

  private boolean isBefore(Event event, long sequence, int other) {
    long at = heap[other].at();
    return event.at() < at || (event.at() == at && sequence < sequences[other]);
  }

  private void move(int from, int to) {
    heap[to] = heap[from];
    sequences[to] = sequences[from];
  }
}
