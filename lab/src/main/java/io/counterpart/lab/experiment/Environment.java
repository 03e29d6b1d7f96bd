package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that is needed to repeat a run, as a map for the result file. */
final class Environment {
  private Environment() {}

  static Map<String, Object> describe(
      WorkloadSpec workload, int reads, List<Arm> arms, CqlSession session) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", workload.seed());
    config.put("nodes", LabCluster.NODES);
    config.put("replicationFactor", LabCluster.REPLICATION_FACTOR);
    config.put("tokensPerNode", LabCluster.TOKENS_PER_NODE);
    config.put("heapMegabytes", LabCluster.HEAP_MEGABYTES);
    config.put("rows", workload.rows());
    config.put("updates", workload.updates());
    config.put("valueBytes", workload.valueBytes());
    config.put("zipfianTheta", workload.zipfianTheta());
    config.put("inFlight", workload.inFlight());
    config.put("writeConsistency", workload.writeConsistency().name());
    config.put("readsPerBurst", reads);
    config.put("tableOptions", TableSetup.COMMON_OPTIONS);
    Map<String, Object> compaction = new LinkedHashMap<>();
    arms.forEach(arm -> compaction.put(arm.name(), arm.compaction()));
    config.put("compaction", compaction);
    config.put("yaml", new TreeMap<>(LabCluster.yaml()));
    Row local = session.execute("SELECT release_version FROM system.local").one();
    config.put("cassandra", local == null ? "unknown" : String.valueOf(local.getString(0)));
    config.put("java", Runtime.version().toString());
    config.put("cores", Runtime.getRuntime().availableProcessors());
    config.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return config;
  }
}
