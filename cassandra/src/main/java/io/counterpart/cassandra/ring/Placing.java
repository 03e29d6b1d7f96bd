package io.counterpart.cassandra.ring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps each file of one strategy instance to its place under the rules in force. Places that follow
 * from a file's bounds are found at once. A background thread finds the others, and all places
 * after a change of the rules, a few files a turn and without the lock: reading thousands of
 * indexes takes seconds to minutes, and flushes wait for the lock.
 *
 * <p>New rules are <em>wanted</em> until each file has a place under them; then they come into
 * force, with a new map in the place of the old one. Until then the old rules and places stay: a
 * rewrite that follows from them is aligned to the old groups and is placed again, which costs
 * bytes but no data. Files added meanwhile have no place until then. First rules come into force at
 * once, with {@link #isIncomplete} until the first files have their places.
 *
 * <p>Invariants, with rules: {@code next} and {@code places} hold known files only. A known file
 * that is not in {@code next} is in {@code unplaced}, for which a turn is due, or in {@code
 * failures}, for which a retry is due.
 *
 * <p>Thread-safe: guarded by the lock it is given, which files are read without.
 *
 * @param <F> a file; equal to other instances of the same file
 * @param <P> a place
 */
public final class Placing<F, P> {
  /** Files of one turn: 64 × 5 ms is how long other tables, or a caller, wait at most. */
  static final int TURN_FILES = 64;

  static final Duration RETRY = Duration.ofMinutes(1);

  private final Object lock;
  private final PlacingListener<F, P> listener;
  private final Turns turns;
  private final Set<F> files = new HashSet<>();
  private final Set<F> unplaced = new LinkedHashSet<>();

  /** Files that could not be read, with the number of attempts so far. */
  private final Map<F, Integer> failures = new HashMap<>();

  private Map<F, P> places = new HashMap<>();

  /** Places under the wanted rules; the same map where these are in force. */
  private Map<F, P> next = places;

  private @Nullable PlacingRules<F, P> inForce;
  private @Nullable PlacingRules<F, P> wanted;
  private boolean incomplete;
  private boolean turnDue;
  private boolean retryDue;
  private boolean closed;

  /** Runs the turns, in a thread of its own. */
  public interface Turns {
    void soon(Runnable turn);

    void after(Duration delay, Runnable turn);
  }

  public Placing(Object lock, PlacingListener<F, P> listener, Turns turns) {
    this.lock = lock;
    this.listener = listener;
    this.turns = turns;
  }

  /** Has all files placed by these rules; null where there are none, and no file has a place. */
  public void use(@Nullable PlacingRules<F, P> rules) {
    synchronized (lock) {
      if (rules == wanted || closed) {
        return;
      }
      wanted = rules;
      failures.clear();
      unplaced.clear();
      if (rules == null || inForce == null) {
        inForce = rules;
        incomplete = rules != null && !files.isEmpty();
        places = new HashMap<>();
        next = places;
        listener.replaced(Map.of());
      } else {
        next = rules == inForce ? places : new HashMap<>();
      }
      files.stream()
          .filter(file -> rules != null && !next.containsKey(file))
          .forEach(unplaced::add);
      schedule();
      comeIntoForce();
    }
  }

  /** Has nothing planned until each file known so far has its place. */
  public void start() {
    synchronized (lock) {
      incomplete = !unplaced.isEmpty();
    }
  }

  /** Ends all turns; nothing is placed any more. */
  public void close() {
    synchronized (lock) {
      closed = true;
      unplaced.clear();
      failures.clear();
    }
  }

  /**
   * Adds a file; one that is known already is left as it is.
   *
   * @return its place, or null where it has none yet
   */
  public @Nullable P add(F file) {
    synchronized (lock) {
      PlacingRules<F, P> rules = wanted;
      if (!files.add(file) || rules == null || closed) {
        return null;
      }
      P place = rules.byBounds(file);
      if (place == null) {
        unplaced.add(file);
        schedule();
        return null;
      }
      next.put(file, place);
      return next == places ? place : null;
    }
  }

  public void remove(F file) {
    synchronized (lock) {
      files.remove(file);
      unplaced.remove(file);
      failures.remove(file);
      next.remove(file);
      places.remove(file);
    }
  }

  public boolean contains(F file) {
    synchronized (lock) {
      return files.contains(file);
    }
  }

  /** The place of a file by the rules in force. */
  public @Nullable P placeOf(F file) {
    synchronized (lock) {
      return places.get(file);
    }
  }

  public @Nullable PlacingRules<F, P> inForce() {
    synchronized (lock) {
      return inForce;
    }
  }

  /** Whether files wait to be placed; files that cannot be read do not count. */
  public boolean isBusy() {
    synchronized (lock) {
      return !unplaced.isEmpty();
    }
  }

  /** Whether the first files of this instance still wait: plans would be made of a part of them. */
  public boolean isIncomplete() {
    synchronized (lock) {
      return incomplete;
    }
  }

  private void schedule() {
    if (!unplaced.isEmpty() && !turnDue) {
      turnDue = true;
      turns.soon(this::turn);
    }
  }

  private void turn() {
    boolean done = false;
    try {
      placeSome();
      done = true;
    } finally {
      synchronized (lock) {
        turnDue = false;
        if (done) {
          schedule();
        } else {
          retryLater();
        }
      }
    }
  }

  private void retryLater() {
    if (!retryDue && !closed) {
      retryDue = true;
      turns.after(RETRY, this::retry);
    }
  }

  private void retry() {
    synchronized (lock) {
      retryDue = false;
      failures.keySet().stream().filter(file -> !next.containsKey(file)).forEach(unplaced::add);
      schedule();
    }
  }

  /**
   * Places up to {@link #TURN_FILES} files in the calling thread, which must not hold the lock.
   * Several threads may do so at once.
   */
  public void placeSome() {
    PlacingRules<F, P> rules;
    List<F> batch;
    synchronized (lock) {
      rules = wanted;
      batch = unplaced.stream().limit(TURN_FILES).toList();
    }
    if (rules == null) {
      return;
    }
    List<PlacingOutcome<F, P>> outcomes =
        batch.stream().map(file -> PlacingOutcome.of(file, rules)).toList();
    List<Runnable> reports = new ArrayList<>();
    synchronized (lock) {
      boolean changed = false;
      if (wanted == rules) {
        for (PlacingOutcome<F, P> outcome : outcomes) {
          changed |= take(outcome, reports);
        }
      }
      changed |= comeIntoForce();
      if (changed && unplaced.isEmpty()) {
        reports.add(listener::finished);
      }
    }
    reports.forEach(Runnable::run);
  }

  /** Returns whether a file got its place. */
  private boolean take(PlacingOutcome<F, P> outcome, List<Runnable> reports) {
    F file = outcome.file();
    // else removed, or placed by another thread
    if (!unplaced.remove(file)) {
      return false;
    }
    P place = outcome.place();
    if (place != null) {
      failures.remove(file);
      next.put(file, place);
      if (next == places) {
        listener.placed(file, place);
      }
      return true;
    }
    int attempts = failures.merge(file, 1, Integer::sum);
    Throwable failure = outcome.failure();
    if (failure != null) {
      reports.add(() -> listener.failed(file, failure, attempts));
    } else if (attempts > 1) {
      // the notice of its end may come a moment later than the end, but not a minute
      remove(file);
      listener.forgotten(file);
    }
    retryLater();
    return false;
  }

  /** Puts the wanted rules into force once no file waits; returns whether anything changed. */
  private boolean comeIntoForce() {
    if (!unplaced.isEmpty() || closed) {
      return false;
    }
    boolean changed = incomplete || next != places;
    if (next != places) {
      places = next;
      inForce = wanted;
      listener.replaced(places);
    }
    if (incomplete) {
      incomplete = false;
      listener.completed();
    }
    return changed;
  }
}
