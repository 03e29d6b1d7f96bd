package io.counterpart.cache.coded.flow;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock for each stripe, or each key, with three modes: writes into slots, reads, and work on the
 * whole. Writes share it with writes and reads with reads; work on the whole is exclusive. So
 * neither decoding nor encoding sees a write half done. First come, first served. Belongs to one
 * event loop; a holder leaves exactly once, immediately or later.
 *
 * @param <K> the number of a stripe, or a key
 */
public final class Gates<K> {
  private static final int USUAL_WAITING = 1;

  private final Map<K, Gate> gates = new HashMap<>();

  private enum Kind {
    WRITING,
    READING,
    ALONE
  }

  /** Runs beside other writes, once no read and no exclusive work is under way. */
  public void enterShared(K unit, Runnable body) {
    enter(unit, new Entrant(Kind.WRITING, body));
  }

  /**
   * Runs beside others that leave the content of all slots and parity unchanged, whichever servers
   * they are on, once nobody else is inside.
   */
  public void enterReading(K unit, Runnable body) {
    enter(unit, new Entrant(Kind.READING, body));
  }

  /** Runs once nothing else is under way. */
  public void enterAlone(K unit, Runnable body) {
    enter(unit, new Entrant(Kind.ALONE, body));
  }

  /**
   * As {@link #enterAlone(Object, Runnable)}, for a body with an end.
   *
   * @param done runs after the body has left
   * @param body gets a callback that leaves and then is done
   */
  public void enterAlone(K unit, Runnable done, Consumer<Runnable> body) {
    Runnable end =
        () -> {
          leave(unit);
          done.run();
        };
    enterAlone(unit, () -> body.accept(end));
  }

  /** Whether somebody is inside, or waits. */
  public boolean isBusy(K unit) {
    return gates.containsKey(unit);
  }

  /** Whether somebody waits who is not inside yet. */
  public boolean isAwaited(K unit) {
    Gate gate = gates.get(unit);
    return gate != null && !gate.waiting.isEmpty();
  }

  /** Whether nobody is inside any unit, or waits. */
  public boolean isEmpty() {
    return gates.isEmpty();
  }

  /** Units that somebody is in, or waits for. */
  public List<K> busy() {
    return List.copyOf(gates.keySet());
  }

  private void enter(K unit, Entrant entrant) {
    Gate gate = gates.computeIfAbsent(unit, name -> new Gate());
    gate.waiting.add(entrant);
    advance(unit, gate);
  }

  /** Ends the stay that any of these methods began. */
  public void leave(K unit) {
    Gate gate = gates.get(unit);
    if (gate == null || gate.inside == 0) {
      throw new IllegalStateException("nobody is in " + unit);
    }
    gate.inside--;
    advance(unit, gate);
  }

  private void advance(K unit, Gate gate) {
    if (gate.advancing) {
      return; // the loop below, further up the stack, goes on
    }
    gate.advancing = true;
    for (Entrant next = gate.admit(); next != null; next = gate.admit()) {
      next.body().run();
    }
    gate.advancing = false;
    if (gate.inside == 0 && gate.waiting.isEmpty()) {
      gates.remove(unit);
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
