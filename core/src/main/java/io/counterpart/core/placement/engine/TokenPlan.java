package io.counterpart.core.placement.engine;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How many copies of each class the tokens of a datacenter are planned for, as the ring shows it.
 * Under NetworkTopologyStrategy a keyspace has these quotas with that many copies only.
 *
 * <p>{@link EngineTokens} repeats the classes with the number of copies as period, N. Worked: m r w
 * w m r w w … is planned for four copies, write 2, read 1, memory 1. With three copies a row has m
 * r w, r w w or w w m, by its token: a read by r and m alone may miss a write by w and w.
 */
public final class TokenPlan {
  /** A longer period is no plan: other tokens look so. */
  private static final int MOST_COPIES = 12;

  private TokenPlan() {}

  /**
   * The copies by class that any N consecutive tokens hold, for the least such N; empty if the
   * classes do not repeat, or there is only one.
   *
   * @param classes of the datacenter's tokens, in their order
   */
  public static Optional<EngineQuotas> of(List<EngineClass> classes) {
    for (int period = 2; period <= Math.min(MOST_COPIES, classes.size()); period++) {
      if (classes.size() % period == 0 && repeats(classes, period)) {
        List<EngineClass> copies = classes.subList(0, period);
        return copies.stream().distinct().count() == 1
            ? Optional.empty()
            : Optional.of(
                new EngineQuotas(
                    Collections.frequency(copies, EngineClass.WRITE),
                    Collections.frequency(copies, EngineClass.READ),
                    Collections.frequency(copies, EngineClass.MEMORY)));
      }
    }
    return Optional.empty();
  }

  private static boolean repeats(List<EngineClass> classes, int period) {
    for (int i = period; i < classes.size(); i++) {
      if (classes.get(i) != classes.get(i - period)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What is wrong with a number of copies; empty if it is what tokens are planned for, or they are
   * not planned.
   *
   * @param copies of a keyspace in the datacenter, 1 or more
   * @param classes of the datacenter's tokens, in their order
   */
  public static Optional<String> warning(String datacenter, int copies, List<EngineClass> classes) {
    return of(classes)
        .filter(quotas -> copies % quotas.copies() != 0)
        .map(
            quotas ->
                ("%s: %d copies (N), legal: %d, for which the tokens of its engine classes are planned:"
                        + " %s. With another number the classes of a row's"
                        + " copies depend on its token, and reads by those for reads may miss writes by"
                        + " those for writes unless both wait for a quorum")
                    .formatted(datacenter, copies, quotas.copies(), quotas));
  }
}
