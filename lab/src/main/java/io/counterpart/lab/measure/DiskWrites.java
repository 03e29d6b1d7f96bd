package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.process.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Bytes that the disks of nodes have taken, by the devices' own counters. Everything is flushed
 * before they are read, so the difference of two readings holds what was written between them, and
 * nothing else: no other table's pages that were still to be written, and all of its own.
 */
final class DiskWrites {
  private DiskWrites() {}

  /** The sum now; {@link NodeCost#NOT_MEASURED} where one of the disks cannot be asked. */
  static long of(List<Node> nodes) {
    try {
      Map<Disk, Path> disks = new LinkedHashMap<>();
      for (Node node : nodes) {
        disks.putIfAbsent(Disk.of(node.dataDirectory()), node.dataDirectory());
      }
      long sum = 0;
      for (Map.Entry<Disk, Path> each : disks.entrySet()) {
        Disk.flush(each.getValue());
        OptionalLong written = each.getKey().bytesWritten();
        if (written.isEmpty()) {
          return NodeCost.NOT_MEASURED;
        }
        sum += written.getAsLong();
      }
      return sum;
    } catch (IOException unknown) {
      return NodeCost.NOT_MEASURED;
    }
  }
}
