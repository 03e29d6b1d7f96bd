package io.counterpart.core.simulator;

import java.util.List;

/**
 * Bytes of primary and of redundant copies, in the format that each sstable has. A tree has the
 * table's format, whoever's copies it holds; so have flushed segments, since no flush waits for
 * strong compression. Splits and merges write the redundant format.
 *
 * <p>Worked, at ratios 0.43 and 0.29: a node with 38 GiB of primary and 76 GiB of redundant copies,
 * 6 GiB of these in segments, has 38 · 0.43 = 16.3 GiB and 6 · 0.43 + 70 · 0.29 = 22.9 GiB on disk.
 */
public record CostByRole(Bytes primary, Bytes redundant) {
  private static final Bytes NONE = new Bytes(0, 0, 0);

  /**
   * Bytes of one role's copies after compression.
   *
   * @param diskBytes on disk in the end
   * @param writtenBytes flushed and compacted
   * @param filterBytes of Bloom filters in memory in the end
   */
  public record Bytes(double diskBytes, double writtenBytes, double filterBytes) {
    private Bytes plus(Bytes other) {
      return new Bytes(
          diskBytes + other.diskBytes,
          writtenBytes + other.writtenBytes,
          filterBytes + other.filterBytes);
    }

    private Bytes times(double factor) {
      return new Bytes(diskBytes * factor, writtenBytes * factor, filterBytes * factor);
    }
  }

  /** Counts structures of one node, whose entries have a size, in their formats. */
  record Counted(Formats formats, double entryBytes) {
    Bytes ofTree(StructureCost tree) {
      return new Bytes(
          tree.diskBytes() * formats.tableRatio(),
          (tree.flushedBytes() + tree.compactedBytes()) * formats.tableRatio(),
          tree.diskBytes() / entryBytes * formats.filterBytesPerKey());
    }

    Bytes ofLog(StructureCost log) {
      double segments = log.segmentBytes();
      double runs = log.diskBytes() - segments;
      return new Bytes(
          segments * formats.tableRatio() + runs * formats.redundantRatio(),
          log.flushedBytes() * formats.tableRatio()
              + log.compactedBytes() * formats.redundantRatio(),
          segments / entryBytes * formats.filterBytesPerKey()
              + runs / entryBytes * formats.redundantFilterBytesPerKey());
    }
  }

  /**
   * The bytes of a layout on one node.
   *
   * @param copies replication factor
   * @param parts primary copies first, redundant ones last; one part where a tree holds all copies
   */
  static CostByRole of(Layout layout, int copies, List<StructureCost> parts, Counted counted) {
    Bytes first = counted.ofTree(parts.get(0));
    if (layout instanceof Layout.Uniform) {
      Bytes each = first.times(1.0 / copies);
      return new CostByRole(each, each.times(copies - 1));
    }
    boolean isLog = layout instanceof Layout.Decoupled;
    Bytes redundant =
        parts.stream()
            .skip(1)
            .map(part -> isLog ? counted.ofLog(part) : counted.ofTree(part))
            .reduce(NONE, Bytes::plus);
    return new CostByRole(first, redundant);
  }

  /** Bytes of all copies. */
  public Bytes total() {
    return primary.plus(redundant);
  }

  CostByRole times(double factor) {
    return new CostByRole(primary.times(factor), redundant.times(factor));
  }
}
