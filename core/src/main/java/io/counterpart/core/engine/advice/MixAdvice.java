package io.counterpart.core.engine.advice;

import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which (N, W, R) a heterogeneous cluster should have, and whether it pays.
 *
 * <p>Of N copies the candidates have the least memory, W + R = N + 1, and survive as many dead
 * nodes as a quorum of N does: (3, 2, 2), (4, 3, 2) and (4, 2, 3), (5, 3, 3). A client's read costs
 * at most R reads of B+trees, a write costs one write on every copy. The cheapest candidate is
 * compared with the present mix, or, on equal nodes, with the better engine for each table.
 *
 * <p>Paper: MyCassandra §7, future work: shares of engines by the workload.
 *
 * @param changes whether the mix is worth a change
 * @param writeQuorum W of the mix; 0 if there is none
 * @param readQuorum R of the mix; 0 if there is none
 * @param reason with the numbers, a phrase
 */
public record MixAdvice(
    int copies, boolean changes, int writeQuorum, int readQuorum, String reason) {

  /** Copies by class of the mix; empty if there is none. */
  public Optional<EngineQuotas> quotas() {
    return writeQuorum == 0
        ? Optional.empty()
        : Optional.of(EngineQuotas.of(copies, writeQuorum, readQuorum));
  }

  /** {@code (N, W, R)}. */
  public String mix() {
    return "(%d, %d, %d)".formatted(copies, writeQuorum, readQuorum);
  }

  /**
   * The rule.
   *
   * @param copies N, 1 or more
   * @param tables with N copies; those that are tied to sstables or hardly used do not count
   * @param present copies by class now; empty on equal nodes
   */
  public static MixAdvice of(int copies, List<TableFacts> tables, Optional<EngineQuotas> present) {
    List<TableFacts> counted =
        tables.stream().filter(table -> table.tie().isEmpty() && table.isMeasured()).toList();
    if (copies < 2) {
      return none(copies, "one copy has no classes to mix");
    }
    if (counted.isEmpty()) {
      return none(
          copies,
          "no table has %d operations and may be on an engine"
              .formatted(TableFacts.LEAST_OPERATIONS));
    }
    Limit limit = limit(counted);
    Candidate best =
        candidates(copies).stream()
            .min(Comparator.comparingDouble(each -> each.cost(limit, counted)))
            .orElseThrow();
    double cost = best.cost(limit, counted);
    EngineQuotas now = present.orElse(null);
    double compared =
        now == null
            ? counted.stream().mapToDouble(table -> better(limit, table.load())).sum()
            : Candidate.present(now).cost(limit, counted);
    double gain = EngineCosts.gain(compared, cost);
    boolean changes = gain >= EngineCosts.LEAST_GAIN;
    return new MixAdvice(
        copies,
        changes,
        best.writes(),
        best.reads(),
        "copies on nodes of class %s; %s than %s%s"
            .formatted(
                best.quotas(),
                EngineCosts.text(gain, limit),
                now == null
                    ? "with the better engine for each table on equal nodes"
                    : "with " + now,
                changes ? "" : ", and " + EngineCosts.asked()));
  }

  private static MixAdvice none(int copies, String reason) {
    return new MixAdvice(copies, false, 0, 0, reason);
  }

  /** That of most reads. */
  private static Limit limit(List<TableFacts> tables) {
    double fromDisk = 0;
    for (TableFacts table : tables) {
      Load load = table.load();
      fromDisk += load.limit() == Limit.DISK ? load.reads() : -load.reads();
    }
    return fromDisk > 0 ? Limit.DISK : Limit.TIME;
  }

  private static double better(Limit limit, Load load) {
    return Math.min(
        EngineCosts.sstables(limit, load.reads(), load.writes()),
        EngineCosts.tree(limit, load.reads(), load.writes()));
  }

  private static List<Candidate> candidates(int copies) {
    int quorum = copies / 2 + 1;
    List<Candidate> candidates = new ArrayList<>();
    // fewest reads first: of equal costs the first one is taken
    for (int writes = quorum; writes >= copies + 1 - quorum; writes--) {
      candidates.add(Candidate.of(copies, writes, copies + 1 - writes));
    }
    return candidates;
  }

  /**
   * A mix.
   *
   * @param reads copies that a client's read asks at most
   */
  private record Candidate(EngineQuotas quotas, int reads) {

    static Candidate of(int copies, int writes, int reads) {
      return new Candidate(EngineQuotas.of(copies, writes, reads), reads);
    }

    /** Without a copy in memory no R below N meets every write. */
    static Candidate present(EngineQuotas quotas) {
      int copies = quotas.copies();
      return new Candidate(quotas, quotas.memory() == 0 ? copies : copies - quotas.write());
    }

    int writes() {
      return quotas.copies() - quotas.read();
    }

    double cost(Limit limit, List<TableFacts> tables) {
      double onSstables = (double) quotas.write() / quotas.copies();
      double cost = 0;
      for (TableFacts table : tables) {
        Load load = table.load();
        double readsOnNodes =
            load.copiesAsked() > reads ? load.clientReads() * reads : load.reads();
        cost += EngineCosts.sstables(limit, 0, load.writes() * onSstables);
        cost += EngineCosts.tree(limit, readsOnNodes, load.writes() * (1 - onSstables));
      }
      return cost;
    }
  }
}
