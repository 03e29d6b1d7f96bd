package io.counterpart.lab.staleness.client;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One writer with keys of its own, each with a version that counts up. A key is taken for a write
 * and the read after it, and given back afterwards; the one that waits longest is next. Versions of
 * a key belong to whoever took it. Thread-safe so far.
 */
public final class Lane {
  private final int session;
  private final Node writer;
  private final int[] keys;
  private final long[] issued;
  private final long[] acknowledged;
  private final BlockingQueue<Integer> free = new LinkedBlockingQueue<>();

  /**
   * All keys free, none written.
   *
   * @param session number of the writer, for the history
   * @param writer coordinator of its writes
   */
  public Lane(int session, Node writer, List<Integer> keys) {
    this.session = session;
    this.writer = writer;
    this.keys = keys.stream().mapToInt(Integer::intValue).toArray();
    issued = new long[this.keys.length];
    acknowledged = new long[this.keys.length];
    for (int slot = 0; slot < this.keys.length; slot++) {
      free.add(slot);
    }
  }

  /** Number of the writer. */
  public int session() {
    return session;
  }

  /** Coordinator of its writes. */
  public Node writer() {
    return writer;
  }

  int slots() {
    return keys.length;
  }

  int key(int slot) {
    return keys[slot];
  }

  /** Waits for a free key. */
  int take() throws InterruptedException {
    return free.take();
  }

  void giveBack(int slot) {
    free.add(slot);
  }

  long nextVersion(int slot) {
    return ++issued[slot];
  }

  void acknowledged(int slot, long version) {
    acknowledged[slot] = version;
  }

  /** The latest version sent; 0 for none. */
  long issued(int slot) {
    return issued[slot];
  }

  /** The latest version acknowledged; 0 for none. */
  long acknowledged(int slot) {
    return acknowledged[slot];
  }
}
