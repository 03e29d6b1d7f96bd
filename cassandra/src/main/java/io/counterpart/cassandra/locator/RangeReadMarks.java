package io.counterpart.cassandra.locator;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Requests that read ranges, by an object that travels with the request from thread to thread.
 *
 * <p>Cassandra reports the coordinator's own reads of points and of ranges alike. It does so in the
 * thread that reads, under the {@code ExecutorLocals} of the request. The snitch sees a range in
 * the thread that plans the read, under the same object. A request that is marked there is
 * recognized here. A mark may be overwritten by another request's, one of {@value #SLOTS} slots
 * each; that range read then counts among the points, whose mean leaves out a few slow ones.
 * Thread-safe.
 */
final class RangeReadMarks {
  private static final int SLOTS = 1_024;

  private final AtomicReferenceArray<@Nullable WeakReference<Object>> slots =
      new AtomicReferenceArray<>(SLOTS);

  void mark(Object request) {
    if (!isMarked(request)) {
      slots.set(slot(request), new WeakReference<>(request));
    }
  }

  boolean isMarked(Object request) {
    WeakReference<Object> marked = slots.get(slot(request));
    return marked != null && marked.refersTo(request);
  }

  private static int slot(Object request) {
    return System.identityHashCode(request) & (SLOTS - 1);
  }
}
