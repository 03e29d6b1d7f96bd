package io.counterpart.core.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Merges sstables and cuts the output at a size, as a compaction writer does. Stateless. */
final class TableMerge {
  private final Population population;
  private final double outputBytes;
  private final List<Table> outputs = new ArrayList<>();
  private double openFirst;
  private double openEnd;
  private double openBytes;
  private Density open;

  private TableMerge(Population population, double outputBytes) {
    this.population = population;
    this.outputBytes = outputBytes;
    this.open = Density.empty(population.popularity());
  }

  /** The merged content in key order, each output but the last of {@code outputBytes}. */
  static List<Table> merge(List<Table> inputs, Population population, double outputBytes) {
    TableMerge merge = new TableMerge(population, outputBytes);
    merge.sweep(inputs);
    merge.cut();
    return merge.outputs;
  }

  // between two neighbouring bounds the same inputs overlap, so the density is constant there
  private void sweep(List<Table> inputs) {
    TreeSet<Double> bounds = new TreeSet<>();
    inputs.forEach(table -> bounds.add(table.first()));
    inputs.forEach(table -> bounds.add(table.end()));
    List<Table> waiting = new ArrayList<>(inputs);
    waiting.sort(Comparator.comparingDouble(Table::first));
    List<Table> active = new ArrayList<>();
    int next = 0;
    double from = bounds.first();
    for (double to : bounds.tailSet(from, false)) {
      double at = from;
      active.removeIf(table -> table.end() <= at);
      while (next < waiting.size() && waiting.get(next).first() <= from) {
        active.add(waiting.get(next++));
      }
      if (!active.isEmpty()) {
        append(from, to, union(active));
      }
      from = to;
    }
  }

  private Density union(List<Table> active) {
    Density all = active.get(0).density();
    for (Table table : active.subList(1, active.size())) {
      all = all.union(table.density());
    }
    return all;
  }

  private void append(double first, double end, Density density) {
    double from = first;
    while (from < end) {
      double bytesLeft = population.bytes(density, end - from);
      double room = outputBytes - openBytes;
      // a rounding remainder must not become an sstable of its own
      boolean fits = bytesLeft <= room * (1 + 1e-9);
      double to = fits ? end : from + (end - from) * room / bytesLeft;
      if (to <= from) {
        cut();
        continue;
      }
      extend(from, to, density);
      if (!fits) {
        cut();
      }
      from = to;
    }
  }

  private void extend(double from, double to, Density density) {
    if (openBytes == 0) {
      openFirst = from;
      openEnd = from;
    }
    // an input may leave a gap, where the output holds nothing either
    Density covered =
        open.average(openEnd - openFirst, Density.empty(population.popularity()), from - openEnd);
    open = covered.average(from - openFirst, density, to - from);
    openBytes += population.bytes(density, to - from);
    openEnd = to;
  }

  private void cut() {
    if (openBytes > 0) {
      outputs.add(new Table(openFirst, openEnd, open));
    }
    openBytes = 0;
    openFirst = openEnd;
    open = Density.empty(population.popularity());
  }
}
