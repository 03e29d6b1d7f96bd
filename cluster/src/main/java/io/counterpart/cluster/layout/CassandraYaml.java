package io.counterpart.cluster.layout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * The cassandra.yaml of one node: stock behaviour, with caches, pools and time-outs sized for
 * several nodes on one small machine.
 */
final class CassandraYaml {

  private CassandraYaml() {}

  /**
   * @param seeds addresses that the node asks first, at least one
   */
  static Map<String, Object> entries(
      ClusterSpec spec, NodeLayout node, Join join, List<String> seeds) {
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("cluster_name", "counterpart");
    yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    yaml.put("endpoint_snitch", spec.snitch());
    putRing(yaml, spec, node, join);
    putNetwork(yaml, node, seeds);
    putStorage(yaml, node);
    putSizes(yaml, spec);
    if (spec.layout() != null) {
      yaml.put("memtable", spec.layout().memtable(node.location()));
    }
    putTimeouts(yaml);
    yaml.putAll(spec.yaml());
    return yaml;
  }

  static String render(Map<String, Object> entries) {
    DumpSettings block = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
    return new Dump(block).dumpToString(entries);
  }

  private static void putRing(
      Map<String, Object> yaml, ClusterSpec spec, NodeLayout node, Join join) {
    // of engine classes with more copies nodes have more tokens
    yaml.put("num_tokens", node.tokens().isEmpty() ? spec.tokensPerNode() : node.tokens().size());
    yaml.put("auto_bootstrap", join.streams());
    if (!node.tokens().isEmpty()) {
      yaml.put(
          "initial_token",
          node.tokens().stream().map(String::valueOf).collect(Collectors.joining(",")));
    } else {
      yaml.put("allocate_tokens_for_local_replication_factor", 3);
    }
  }

  private static void putNetwork(Map<String, Object> yaml, NodeLayout node, List<String> seeds) {
    yaml.put(
        "seed_provider",
        List.of(
            Map.of(
                "class_name",
                "org.apache.cassandra.locator.SimpleSeedProvider",
                "parameters",
                List.of(Map.of("seeds", String.join(",", seeds))))));
    yaml.put("listen_address", node.address());
    yaml.put("rpc_address", node.address());
    yaml.put("storage_port", node.ports().storage());
    yaml.put("native_transport_port", node.ports().cql());
    yaml.put("start_native_transport", true);
  }

  private static void putStorage(Map<String, Object> yaml, NodeLayout node) {
    yaml.put("data_file_directories", List.of(node.data().toString()));
    yaml.put("commitlog_directory", node.commitLog().toString());
    yaml.put("hints_directory", node.hints().toString());
    yaml.put("saved_caches_directory", node.savedCaches().toString());
    yaml.put("cdc_raw_directory", node.directory().resolve("cdc_raw").toString());
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "10000ms");
    yaml.put("disk_failure_policy", "die");
    yaml.put("commit_failure_policy", "die");
    // a dropped or truncated trial table must not keep its disk space
    yaml.put("auto_snapshot", false);
  }

  /** Nodes of one server share what a node has that has a server to itself. */
  private static void putSizes(Map<String, Object> yaml, ClusterSpec spec) {
    int nodes = spec.layout() == null ? 1 : spec.layout().engines().size();
    yaml.put("memtable_allocation_type", "offheap_objects");
    yaml.put("memtable", MemtableConfigurations.withEngines(List.of()));
    yaml.put("memtable_heap_space", 96 / nodes + "MiB");
    yaml.put("memtable_offheap_space", 128 / nodes + "MiB");
    yaml.put("memtable_flush_writers", 1);
    yaml.put("commitlog_segment_size", "16MiB");
    yaml.put("commitlog_total_space", "512MiB");
    yaml.put("key_cache_size", 16 / nodes + "MiB");
    yaml.put("counter_cache_size", "4MiB");
    yaml.put("file_cache_size", 64 / nodes + "MiB");
    yaml.put("networking_cache_size", "32MiB");
    yaml.put("concurrent_reads", 16);
    yaml.put("concurrent_writes", 16);
    yaml.put("concurrent_counter_writes", 8);
    yaml.put("concurrent_materialized_view_writes", 2);
    yaml.put("concurrent_compactors", 2);
    yaml.put("native_transport_max_threads", 64);
  }

  // nodes share a few cores: a pause that would be a fault on a server of its own is normal here
  private static void putTimeouts(Map<String, Object> yaml) {
    yaml.put("read_request_timeout", "10000ms");
    yaml.put("range_request_timeout", "20000ms");
    yaml.put("write_request_timeout", "10000ms");
    yaml.put("counter_write_request_timeout", "10000ms");
    yaml.put("cas_contention_timeout", "5000ms");
    yaml.put("truncate_request_timeout", "60000ms");
    yaml.put("request_timeout", "20000ms");
    yaml.put("slow_query_log_timeout", "0ms");
  }
}
