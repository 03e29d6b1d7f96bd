package io.counterpart.cache.coded.parity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Folds stripes to free the memory of journals, a bounded number at once, because each has its
 * parity in memory. A fold may itself wait for memory that only other folds free, so a request can
 * end before its slowest folds. Requests for one stripe share a fold. Belongs to the shard's event
 * loop.
 */
public final class FoldQueue {
  private static final int STRIPES_AT_ONCE = 64;

  private final BiConsumer<Integer, Runnable> folding;
  private final BiConsumer<Long, Runnable> timer;

  /** Requests by stripe, of folds that have not begun, in the order of the first request. */
  private final Map<Integer, List<Request>> waiting = new LinkedHashMap<>();

  /** Requests by stripe, of folds under way. */
  private final Map<Integer, List<Request>> underWay = new LinkedHashMap<>();

  /** Stripes under way to be folded again. */
  private final Set<Integer> again = new HashSet<>();

  private Runnable folded = () -> {};
  private boolean proceeding;

  /**
   * @param folding gets a stripe and a callback, which it runs once at the end of the fold, later
   *     or at once
   * @param timer runs a callback after a number of milliseconds
   */
  public FoldQueue(BiConsumer<Integer, Runnable> folding, BiConsumer<Long, Runnable> timer) {
    this.folding = folding;
    this.timer = timer;
  }

  /** Registers a callback that runs after each fold. */
  public void onFolded(Runnable listener) {
    folded = listener;
  }

  /**
   * Folds a stripe at once, whatever the bound: a server may lack the journal entry of a write. If
   * a fold is under way, another follows it.
   */
  public void fold(int stripe) {
    if (underWay.containsKey(stripe)) {
      again.add(stripe);
    } else {
      List<Request> requests = waiting.remove(stripe);
      begin(stripe, requests == null ? new ArrayList<>() : requests);
    }
  }

  /**
   * Requests folds. One that is under way counts.
   *
   * @param mostMillis time after which the request does not wait for folds under way
   * @param done runs once
   */
  public void fold(Collection<Integer> stripes, long mostMillis, Runnable done) {
    Request request = new Request(done);
    for (int stripe : new HashSet<>(stripes)) {
      List<Request> of = underWay.get(stripe);
      if (of == null) {
        of = waiting.computeIfAbsent(stripe, number -> new ArrayList<>());
        request.waiting++;
      }
      request.left++;
      of.add(request);
    }
    timer.accept(mostMillis, request::late);
    proceed();
    request.endIfOver();
  }

  /** Whether no fold waits or is under way. */
  public boolean isEmpty() {
    return waiting.isEmpty() && underWay.isEmpty();
  }

  /** Whether a fold of the stripe has begun and not ended. */
  public boolean isUnderWay(int stripe) {
    return underWay.containsKey(stripe);
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay.size() < STRIPES_AT_ONCE && !waiting.isEmpty()) {
      Iterator<Map.Entry<Integer, List<Request>>> first = waiting.entrySet().iterator();
      Map.Entry<Integer, List<Request>> next = first.next();
      first.remove();
      begin(next.getKey(), next.getValue());
    }
    proceeding = false;
  }

  private void begin(int stripe, List<Request> requests) {
    underWay.put(stripe, requests);
    List<Request> begun = List.copyOf(requests);
    folding.accept(
        stripe,
        () -> {
          underWay.remove(stripe);
          if (again.remove(stripe)) {
            fold(stripe);
          }
          folded.run();
          requests.forEach(Request::ended);
          proceed();
        });
    begun.forEach(Request::begun);
  }

  private static final class Request {
    private @Nullable Runnable done;
    private int waiting;
    private int left;
    private boolean isLate;

    Request(Runnable done) {
      this.done = done;
    }

    void begun() {
      waiting--;
      endIfOver();
    }

    void ended() {
      left--;
      endIfOver();
    }

    void late() {
      isLate = true;
      endIfOver();
    }

    void endIfOver() {
      Runnable told = done;
      if (told != null && (left == 0 || isLate && waiting == 0)) {
        done = null;
        told.run();
      }
    }
  }
}
