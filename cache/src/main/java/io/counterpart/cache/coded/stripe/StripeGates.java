package io.counterpart.cache.coded.stripe;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock for each stripe with three modes: writes into slots, reads of columns, and work on the
 * stripe as a whole. Writes share the stripe with writes and reads with reads; work on the whole is
 * exclusive. So neither decoding nor encoding sees a write half done. First come, first served.
 * Belongs to the shard's event loop; a holder leaves exactly once, immediately or later.
 */
public final class StripeGates {
  private static final int USUAL_WAITING = 1;

  private final Map<Integer, Gate> gates = new HashMap<>();

  private enum Kind {
    WRITING,
    READING,
    ALONE
  }

  /** Runs beside other writes, once no read and no exclusive work is in the stripe. */
  public void enterShared(int stripe, Runnable body) {
    enter(stripe, new Entrant(Kind.WRITING, body));
  }

  /**
   * As {@link #enterShared}, for two stripes, which may be the same. The stripe with the lower
   * number comes first, which excludes deadlocks.
   *
   * @param body gets a callback that leaves them
   */
  public void enterBoth(int one, int other, Consumer<Runnable> body) {
    int first = Math.min(one, other);
    int second = Math.max(one, other);
    Runnable leave =
        () -> {
          leave(first);
          if (second != first) {
            leave(second);
          }
        };
    Runnable entered = () -> body.accept(leave);
    enterShared(first, first == second ? entered : () -> enterShared(second, entered));
  }

  /**
   * Runs beside others that leave the content of all slots and parity unchanged, whichever servers
   * they are on, once nobody else is in the stripe.
   */
  public void enterReading(int stripe, Runnable body) {
    enter(stripe, new Entrant(Kind.READING, body));
  }

  /** Runs once nothing else is under way in the stripe. */
  public void enterAlone(int stripe, Runnable body) {
    enter(stripe, new Entrant(Kind.ALONE, body));
  }

  /**
   * As {@link #enterAlone(int, Runnable)}, for a body with an end.
   *
   * @param done runs after the body has left
   * @param body gets a callback that leaves the stripe and then is done
   */
  public void enterAlone(int stripe, Runnable done, Consumer<Runnable> body) {
    Runnable end =
        () -> {
          leave(stripe);
          done.run();
        };
    enterAlone(stripe, () -> body.accept(end));
  }

  /** Whether somebody is in a stripe, or waits for it. */
  public boolean isBusy(int stripe) {
    return gates.containsKey(stripe);
  }

  /** Stripes that somebody is in, or waits for. */
  public List<Integer> busy() {
    return List.copyOf(gates.keySet());
  }

  private void enter(int stripe, Entrant entrant) {
    Gate gate = gates.computeIfAbsent(stripe, number -> new Gate());
    gate.waiting.add(entrant);
    advance(stripe, gate);
  }

  /** Ends the stay that any of these methods began. */
  public void leave(int stripe) {
    Gate gate = gates.get(stripe);
    if (gate == null || gate.inside == 0) {
      throw new IllegalStateException("nobody is in stripe " + stripe);
    }
    gate.inside--;
    advance(stripe, gate);
  }

  private void advance(int stripe, Gate gate) {
    if (gate.advancing) {
      return; // the loop below, further up the stack, goes on
    }
    gate.advancing = true;
    for (Entrant next = gate.admit(); next != null; next = gate.admit()) {
      next.body().run();
    }
    gate.advancing = false;
    if (gate.inside == 0 && gate.waiting.isEmpty()) {
      gates.remove(stripe);
    }
  }

  private record Entrant(Kind kind, Runnable body) {}

  private static final class Gate {
    private final ArrayDeque<Entrant> waiting = new ArrayDeque<>(USUAL_WAITING);
    private int inside;
    private Kind kind = Kind.ALONE;
    private boolean advancing;

    private @Nullable Entrant admit() {
      Entrant next = waiting.peek();
      if (next == null || inside > 0 && (kind == Kind.ALONE || next.kind() != kind)) {
        return null;
      }
      waiting.remove();
      inside++;
      kind = next.kind();
      return next;
    }
  }
}
