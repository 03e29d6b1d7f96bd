package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The configuration that repeats a run, as a map for the result file. */
public final class Environment {
  private Environment() {}

  /** Describes a run on a cluster that serves. */
  public static Map<String, Object> describe(
      WorkloadSpec workload, RunningLab running, List<Arm> arms) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", workload.seed());
    config.put("nodes", LabCluster.NODES);
    config.put("replicationFactor", LabCluster.REPLICATION_FACTOR);
    config.put("tokensPerNode", LabCluster.TOKENS_PER_NODE);
    config.put("heapMegabytes", LabCluster.HEAP_MEGABYTES);
    config.put("rows", workload.rows());
    config.put("updates", workload.updates());
    config.put("keyBytes", workload.shape().keyBytes());
    config.put("valueBytes", workload.shape().valueBytes());
    config.put("valueKind", workload.shape().valueKind().text());
    config.put("zipfianTheta", workload.shape().zipfianTheta());
    config.put("threads", workload.shape().threads());
    config.put("operationsPerSecond", workload.shape().operationsPerSecond());
    config.put("writeConsistency", workload.writeConsistency().name());
    config.put("tableOptions", TableSetup.COMMON_OPTIONS);
    Map<String, Object> compaction = new LinkedHashMap<>();
    arms.forEach(arm -> compaction.put(arm.name(), arm.compaction()));
    config.put("compaction", compaction);
    Map<String, Object> compression = new LinkedHashMap<>();
    arms.forEach(arm -> compression.put(arm.name(), arm.compression()));
    config.put("compression", compression);
    Row local = running.session().execute("SELECT release_version FROM system.local").one();
    config.put("dataFileAccess", dataFileAccess(running.session()));
    config.put("cassandra", local == null ? "unknown" : String.valueOf(local.getString(0)));
    config.putAll(machine());
    config.putAll(running.description());
    return config;
  }

  // indexes may be mapped nevertheless: "standard" is what becomes of the default mmap_index_only
  private static String dataFileAccess(CqlSession session) {
    try {
      Row access =
          session
              .execute("SELECT value FROM system_views.settings WHERE name = 'disk_access_mode'")
              .one();
      return access == null ? "unknown" : String.valueOf(access.getString(0));
    } catch (QueryValidationException notAllowed) {
      // not every user of somebody else's cluster may read its settings
      return "unknown";
    }
  }

  /** What a run depends on that is known without a cluster: this version, Java, and the machine. */
  public static Map<String, Object> machine() {
    Map<String, Object> machine = new LinkedHashMap<>();
    String version = Environment.class.getPackage().getImplementationVersion();
    machine.put("counterpart", version == null ? "(not from a jar)" : version);
    machine.put("java", Runtime.version().toString());
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put(
        "os", System.getProperty("os.name") + " " + release(System.getProperty("os.version")));
    return machine;
  }

  /** Major and minor version: what follows names a vendor's build. */
  private static String release(String version) {
    Matcher numbers = Pattern.compile("^\\d+\\.\\d+").matcher(version);
    return numbers.find() ? numbers.group() : version;
  }
}
