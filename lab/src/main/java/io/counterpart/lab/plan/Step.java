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

  /**
   * Writes each table in rounds: its share of the rows, then of the updates, then its compactions
   * to their end, before the next table's turn. A block is a whole turn: its throughput is that of
   * the writes, its cost that of all.
   *
   * @param phase name in the result
   * @param rows of each table at the end, at least one a round
   * @param updates of each table in all
   * @param rounds at least 1
   */
  record Rounds(String phase, int rows, int updates, int rounds) implements Step {
    /** Checks that every round has something to do. */
    public Rounds {
      if (rounds < 1 || rows < rounds || updates < 0) {
        throw new IllegalArgumentException(
            "rounds %d, rows %d, updates %d: needs at least one round, as many rows, 0 updates"
                .formatted(rounds, rows, updates));
      }
    }
  }

  /** From here on the servers' time is taken apart, block by block. */
  record Profile() implements Step {}

  /**
   * From here on {@link Blocks} that write end with a flush, whose cost is theirs: a memtable that
   * is left half full would be flushed in a block of another arm. How long it takes does not count
   * in their throughput, and the disk is not limited meanwhile.
   */
  record FlushWrites() implements Step {}

  /**
   * From here on rows are written by UPDATE in place of INSERT: a read then merges every sstable
   * that has the key, and does not end at the newest one.
   */
  record UpdateStatements() implements Step {}

  /**
   * From here on {@link Blocks} run while this goes wrong: a node is slow from the lead-in on,
   * nodes pause in the measured part alone.
   *
   * @param by {@link Disturbance#NONE} for nothing any more
   */
  record Disturb(Disturbance by) implements Step {}

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
   * @param arms names of the arms that take part; empty for all of the stage
   * @param operationsPerSecond begun at this rate, whatever is still without an answer, so that
   *     latencies are those of a load below saturation; 0 for the rate of the run
   */
  record Blocks(
      String phase,
      OperationMix mix,
      ConsistencyLevels levels,
      Repetition repetition,
      Regime regime,
      List<String> arms,
      int operationsPerSecond)
      implements Limited {
    /** Keeps the names and checks the rate. */
    public Blocks {
      arms = List.copyOf(arms);
      if (operationsPerSecond < 0) {
        throw new IllegalArgumentException(
            "operations per second %d: must be at least 0".formatted(operationsPerSecond));
      }
    }

    /** Blocks of all arms. */
    public Blocks(
        String phase,
        OperationMix mix,
        ConsistencyLevels levels,
        Repetition repetition,
        Regime regime) {
      this(phase, mix, levels, repetition, regime, List.of(), 0);
    }

    /** The same on the named arms alone. */
    public Blocks on(List<String> names) {
      return new Blocks(phase, mix, levels, repetition, regime, names, operationsPerSecond);
    }

    /** The same at a rate of its own. */
    public Blocks at(int rate) {
      return new Blocks(phase, mix, levels, repetition, regime, arms, rate);
    }

    /** Those of a stage's arms that take part. */
    public List<ExperimentArm> of(List<ExperimentArm> all) {
      return all.stream().filter(arm -> arms.isEmpty() || arms.contains(arm.name())).toList();
    }
  }

  /**
   * Reads rows that no cache of the system holds, all rows alike, so that a read's bytes from disk
   * are those of one cold read. The page cache is emptied before each block, and large enough in
   * it.
   *
   * @param phase name in the result
   * @param arms names of the arms that take part
   * @param reads of a block; few beside the rows
   * @param repeats blocks of each arm
   */
  record ColdReads(String phase, List<String> arms, int reads, int repeats) implements Limited {
    // as much cache as there are data and more, and a disk as fast as it is
    private static final Regime COLD = new Regime(10, 1_000_000);

    /** Keeps the names. */
    public ColdReads {
      arms = List.copyOf(arms);
    }

    @Override
    public Regime regime() {
      return COLD;
    }

    /** Its blocks, without what makes them cold. */
    public Blocks blocks(ConsistencyLevels levels) {
      return new Blocks(
              phase, OperationMix.UNIFORM_READS, levels, new Repetition(reads, 0, 0, repeats), COLD)
          .on(arms);
    }
  }

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
