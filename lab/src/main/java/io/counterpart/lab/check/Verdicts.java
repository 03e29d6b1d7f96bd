package io.counterpart.lab.check;

import io.counterpart.lab.check.RowCheck.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Judges rows in any order of arrival and remembers the keys not judged yet. Thread-safe. */
final class Verdicts {
  private static final int MAX_EXAMPLES = 10;

  private final RowCheck check;
  private final int keys;
  private final BitSet open;
  private final List<String> examples = new ArrayList<>();
  private final VerdictTally tally = new VerdictTally();

  Verdicts(RowCheck check, int keys) {
    this.check = check;
    this.keys = keys;
    open = new BitSet(keys);
    open.set(0, keys);
  }

  /**
   * Judges what a read of the key returned; a row that nobody wrote is wrong, a second answer
   * counts no more.
   */
  void judge(int key, Optional<ByteBuffer> value) {
    boolean known = key >= 0 && key < keys;
    Verdict verdict = known ? check.judge(key, value) : Verdict.WRONG;
    synchronized (this) {
      if (known && !open.get(key)) {
        return;
      }
      if (known) {
        open.clear(key);
      }
      count(key, verdict);
    }
  }

  /** Keys without an answer. */
  synchronized BitSet open() {
    return (BitSet) open.clone();
  }

  synchronized long judged() {
    return keys - open.cardinality();
  }

  synchronized CheckOutcome outcome() {
    return tally.outcome(judged(), open.cardinality(), examples);
  }

  private void count(int key, Verdict verdict) {
    if (tally.add(verdict) && examples.size() < MAX_EXAMPLES) {
      examples.add("key %d: %s".formatted(key, verdict));
    }
  }
}
