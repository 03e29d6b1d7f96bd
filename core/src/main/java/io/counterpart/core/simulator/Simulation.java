package io.counterpart.core.simulator;

import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a workload into a layout and counts bytes. Every node holds the same amount, so one node
 * is simulated; a run's time depends on the number of flushes, not of keys. Immutable.
 */
public final class Simulation {
  private final Cluster cluster;
  private final Workload workload;
  private final Storage storage;
  private final Formats formats;

  /** Without compression. */
  public Simulation(Cluster cluster, Workload workload, Storage storage) {
    this(cluster, workload, storage, Formats.UNCOMPRESSED);
  }

  public Simulation(Cluster cluster, Workload workload, Storage storage, Formats formats) {
    this.cluster = cluster;
    this.workload = workload;
    this.storage = storage;
    this.formats = formats;
  }

  /** Runs one layout. */
  public LayoutCost run(Layout layout) {
    List<Structure> structures = structures(layout);
    new NodeRun(structures, storage.compactionRate()).run();
    return total(layout, structures.stream().map(Structure::cost).toList());
  }

  // primary copies first, redundant copies last
  private List<Structure> structures(Layout layout) {
    int copies = cluster.replicationFactor();
    if (layout instanceof Layout.Uniform uniform) {
      return List.of(tree(uniform.tree(), copies));
    }
    if (layout instanceof Layout.MultipleTrees trees) {
      return Stream.generate(() -> tree(trees.tree(), 1)).limit(copies).toList();
    }
    Layout.Decoupled decoupled = (Layout.Decoupled) layout;
    Structure primary = primary(decoupled);
    return copies == 1 ? List.of(primary) : List.of(primary, log(decoupled, copies - 1));
  }

  private Structure tree(Layout.Tree tree, int copies) {
    Population population = population(copies);
    return structure(tree.build(population, storage), population, flushBytes(copies));
  }

  private Structure primary(Layout.Decoupled layout) {
    Population population = population(1);
    Index tree = layout.tree().build(population, storage);
    Index primary =
        layout
            .primaryBatches()
            .<Index>map(batches -> new BatchedTree(tree, population, batches, cluster.tokens()))
            .orElse(tree);
    return structure(primary, population, flushBytes(1));
  }

  private Structure log(Layout.Decoupled layout, int copies) {
    Population population = population(copies);
    int groups = cluster.redundantGroups();
    Index log = new TwoLayerLog(population, layout.splits(), layout.merges(), groups);
    return structure(log, population, flushBytes(copies));
  }

  private Structure structure(Index index, Population population, double flushBytes) {
    double updatesPerKey = (double) workload.updates() / workload.keys();
    return new Structure(index, population, flushBytes, updatesPerKey);
  }

  private Population population(int copies) {
    double keys = (double) workload.keys() * copies / cluster.nodes();
    return new Population(keys, workload.entryBytes(), workload.popularity());
  }

  private double flushBytes(int copies) {
    return switch (storage.memtables()) {
      case OWN -> storage.memtableBytes();
      case SHARED -> (double) storage.memtableBytes() * copies / cluster.replicationFactor();
    };
  }

  private LayoutCost total(Layout layout, List<StructureCost> parts) {
    double n = cluster.nodes();
    CostByRole.Counted counted = new CostByRole.Counted(formats, workload.entryBytes());
    return new LayoutCost(
        layout.name(),
        workload.userBytes(),
        workload.userBytes() * cluster.replicationFactor(),
        n * parts.stream().mapToDouble(StructureCost::flushedBytes).sum(),
        n * parts.stream().mapToDouble(StructureCost::treeBytes).sum(),
        n * parts.stream().mapToDouble(StructureCost::splitBytes).sum(),
        n * parts.stream().mapToDouble(StructureCost::mergeBytes).sum(),
        n * parts.stream().mapToDouble(StructureCost::diskBytes).sum(),
        CostByRole.of(layout, cluster.replicationFactor(), parts, counted).times(n),
        parts.stream().mapToLong(StructureCost::tables).sum(),
        parts.get(0).read(),
        parts.get(parts.size() - 1).read());
  }
}
