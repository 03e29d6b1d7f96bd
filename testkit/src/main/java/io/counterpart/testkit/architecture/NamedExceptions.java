package io.counterpart.testkit.architecture;

import java.util.List;

/**
 * The classes and files that may exceed the limits of size for now. Every addition needs a reason
 * beside it.
 */
final class NamedExceptions {
  /** Classes by name, or packages by the beginning of it. */
  static final List<String> MANY_PARAMETERS =
      List.of(
          // steps of writes, whose parts have no names yet: the memory tier's second pass
          "io.counterpart.cache.coded.",
          // a signature of ISA-L, and one of Cassandra
          "io.counterpart.cache.coding.IsaL",
          "io.counterpart.cassandra.compaction.DecoupledCompactionStrategy",
          // what older result files hold beside the record's components
          "io.counterpart.lab.result.BlockResult",
          "io.counterpart.lab.result.LabFigure",
          "io.counterpart.lab.result.LabResult",
          // what the blocks of a phase have in common
          "io.counterpart.lab.experiment.Plans",
          // the files of one control group
          "io.counterpart.cluster.cgroup.ControlGroup");

  /** Source files and folders, by the end of their path or a part of it. */
  static final List<String> LONG_FILES =
      List.of(
          // more than one concept each, for now: the memory tier's second pass
          "/cache/coded/CodedShard.java",
          "/cache/coded/item/ServerMemory.java",
          "/cache/coded/log/JournalWriter.java",
          "/cache/coded/replay/StripeReplay.java",
          "/cache/coded/server/ServerHandshake.java",
          "/cache/coded/server/ServerLink.java",
          "/cache/coded/server/ServerTable.java",
          // one state machine each, which its locks and order of writes hold together
          "/cache/backend/ServerConnection.java",
          "/cache/metadata/MetadataLog.java",
          "/cache/store/behind/WriteBehindStore.java",
          // Cassandra's hooks, which one class must have
          "/cassandra/compaction/DecoupledCompactionStrategy.java",
          // one option each, as --help shows them
          "/cli/cache/options/ProxyOptions.java",
          // servers and proxies in one recorded state
          "/tier/Tier.java");

  private NamedExceptions() {}
}
