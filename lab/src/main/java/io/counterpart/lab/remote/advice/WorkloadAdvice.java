package io.counterpart.lab.remote.advice;

import io.counterpart.core.engine.advice.Advice;
import io.counterpart.core.engine.advice.MixAdvice;
import io.counterpart.core.engine.advice.TableFacts;
import io.counterpart.core.placement.engine.EngineMix;
import java.util.List;

/**
 * Advice on the tables and the mix of a cluster.
 *
 * @param tables in the order of their names
 * @param mixes one for each mix that keyspaces have now, or number of copies on equal nodes
 * @param isHeterogeneous whether nodes are of different engine classes now
 */
public record WorkloadAdvice(List<OnTable> tables, List<OnMix> mixes, boolean isHeterogeneous) {
  /** Copies the lists. */
  public WorkloadAdvice {
    tables = List.copyOf(tables);
    mixes = List.copyOf(mixes);
  }

  /**
   * One table.
   *
   * @param lacking nodes whose cassandra.yaml has no memtable configuration that the advice names
   */
  public record OnTable(TableFacts facts, Advice advice, List<String> lacking) {
    /** Copies the list. */
    public OnTable {
      lacking = List.copyOf(lacking);
    }
  }

  /**
   * One mix.
   *
   * @param keyspaces those with it whose mix can be changed in place, under HeterogeneousStrategy
   */
  public record OnMix(MixAdvice advice, List<String> keyspaces) {
    /** Copies the list. */
    public OnMix {
      keyspaces = List.copyOf(keyspaces);
    }

    /** The mix that is advised, where one is. */
    public EngineMix wanted() {
      return new EngineMix(advice.copies(), advice.writeQuorum(), advice.readQuorum());
    }
  }

  /** Those with something to do. */
  public List<OnTable> changes() {
    return tables.stream().filter(table -> table.advice().changes()).toList();
  }
}
