package io.counterpart.lab.plan;

import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One step of an experiment, applied to all arms in turn. */
public sealed interface Step {
  /** Runs under a regime. */
  sealed interface Limited extends Step {
    /** Name in the result. */
    String phase();

    /** How scarce cache and disk are. */
    Regime regime();
  }

  /**
   * Inserts rows behind those that are there, in slices: table after table, slice by slice.
   *
   * @param phase name in the result
   * @param rows of each table, at least 1
   * @param slices blocks of each table, at least 1
   */
  record Load(String phase, int rows, int slices) implements Step {}

  /** From here on the servers' time is taken apart, block by block. */
  record Profile() implements Step {}

  /**
   * Updates rows: table after table, each in one go. Who serves reads does not bear on it, so each
   * table is updated once, whatever arms it has.
   *
   * @param phase name in the result
   * @param operations of each table, at least 1
   * @param levels consistency levels
   * @param regime how scarce cache and disk are
   */
  record Update(String phase, int operations, ConsistencyLevels levels, Regime regime)
      implements Limited {
    /** Checks that there is something to do. */
    public Update {
      if (operations < 1) {
        throw new IllegalArgumentException(
            "operations %d: must be at least 1".formatted(operations));
      }
    }
  }

  /**
   * Flushes and waits until no table has anything left to compact.
   *
   * @param phase name in the result
   */
  record Drain(String phase) implements Step {}

  /**
   * Runs an operation mix: arm after arm, again and again. Each block begins when the block before
   * has left no compaction running.
   *
   * @param phase name in the result
   * @param mix operations
   * @param levels consistency levels
   * @param repetition how many
   * @param regime how scarce cache and disk are
   */
  record Blocks(
      String phase,
      OperationMix mix,
      ConsistencyLevels levels,
      Repetition repetition,
      Regime regime)
      implements Limited {}

  /**
   * Crashes a node, deletes all it has, starts it, and restores one table after another on it;
   * again with another node until every arm has had its repeats. Each time all tables are restored,
   * a table's arms taking turns, so that a round has one arm of each table.
   *
   * @param phase name in the result
   * @param arms as many of each table
   * @param repeats recoveries of each arm, at least 1
   * @param regime how scarce cache and disk are
   */
  record Recover(String phase, List<RecoveryArm> arms, int repeats, Regime regime)
      implements Limited {
    /** Checks that rounds can be made. */
    public Recover {
      arms = List.copyOf(arms);
      Map<LabTable, Long> perTable =
          arms.stream().collect(Collectors.groupingBy(RecoveryArm::table, Collectors.counting()));
      if (new HashSet<>(perTable.values()).size() != 1
          || new HashSet<>(arms).size() < arms.size()) {
        throw new IllegalArgumentException(
            "arms %s: each table needs as many, at least one, each once"
                .formatted(arms.stream().map(RecoveryArm::name).toList()));
      }
    }

    /** The rounds of one repeat on the tables that there are. */
    public List<List<RecoveryArm>> rounds(List<LabTable> tables) {
      List<List<RecoveryArm>> rounds = new ArrayList<>();
      for (LabTable table : tables) {
        List<RecoveryArm> ofTable = arms.stream().filter(a -> a.table().equals(table)).toList();
        for (int i = 0; i < ofTable.size(); i++) {
          if (i == rounds.size()) {
            rounds.add(new ArrayList<>());
          }
          rounds.get(i).add(ofTable.get(i));
        }
      }
      return rounds;
    }
  }

  /**
   * Crashes a node; it stays down, seen by all others, until it comes {@link Up}.
   *
   * @param node its number, 2 to the number of nodes: the first is everyone's seed
   */
  record Down(int node) implements Step {
    /** Checks that it is not the first. */
    public Down {
      if (node < 2) {
        throw new IllegalArgumentException("node %d: must be 2 or above".formatted(node));
      }
    }
  }

  /**
   * Starts the node that is down on its data. What it missed is not handed over by hints.
   *
   * @param node its number
   */
  record Up(int node) implements Step {}

  /**
   * Repairs a node in full, table after table, and reads each table while its repair runs. Reads
   * that do not wait for a disk leave a repair on the same few cores little: so they have an end.
   *
   * @param phase name in the result
   * @param node its number
   * @param routing the arms of this routing alone: a second repair of a table would find nothing
   * @param levels consistency levels
   * @param mostReads of each table; what is left of a repair then runs without
   * @param regime how scarce cache and disk are
   */
  record ReadsUnderRepair(
      String phase,
      int node,
      Routing routing,
      ConsistencyLevels levels,
      int mostReads,
      Regime regime)
      implements Limited {}
}
