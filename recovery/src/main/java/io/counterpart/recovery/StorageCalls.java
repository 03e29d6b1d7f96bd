package io.counterpart.recovery;

import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.recovery.HeldBytes;
import io.counterpart.core.recovery.KeyspaceSituation;
import io.counterpart.core.recovery.OwnedRanges;
import io.counterpart.core.recovery.ReplicatedRange;
import io.counterpart.core.recovery.TokenRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/** Cassandra's StorageService and its neighbours, as far as recovery needs them. Thread-safe. */
final class StorageCalls {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String SNITCH = "org.apache.cassandra.db:type=EndpointSnitchInfo";
  private static final String STREAMS = "org.apache.cassandra.net:type=StreamManager";
  private static final String RECEIVED =
      "org.apache.cassandra.metrics:type=Streaming,name=TotalIncomingBytes";
  private static final String TABLE_SPACE =
      "org.apache.cassandra.metrics:type=Table,keyspace=%s,scope=*,name=LiveDiskSpaceUsed";
  private static final String ENGINE_SPACE =
      "org.apache.cassandra.metrics:type=Counterpart,scope=%s.*,name=EngineBytes";
  private static final String TABLES = "org.apache.cassandra.db:type=Tables,keyspace=%s,table=*";
  private static final String OF_REDUNDANT = "redundant_";
  private static final String REPAIR_POOLS =
      "org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=Repair#*,name=ActiveTasks";
  private static final String TEXT = String.class.getName();

  private final NodeJmx jmx;

  StorageCalls(NodeJmx jmx) {
    this.jmx = jmx;
  }

  /**
   * @throws RecoveryRefusedException if the node does not serve, or its ring is of another kind
   */
  void requireServing() {
    Object mode = jmx.attribute(STORAGE, "OperationMode");
    if (!mode.equals("NORMAL")) {
      throw new RecoveryRefusedException(
          "the node is " + mode + ", not NORMAL; wait until it has joined and serves");
    }
    String partitioner = String.valueOf(jmx.attribute(STORAGE, "PartitionerName"));
    if (!partitioner.endsWith("Murmur3Partitioner")) {
      throw new RecoveryRefusedException(
          "the cluster's partitioner is " + partitioner + "; only Murmur3Partitioner is known");
    }
  }

  String hostId() {
    return String.valueOf(jmx.attribute(STORAGE, "LocalHostId"));
  }

  /** The node's own address and port, as the ring names it. */
  String endpoint() {
    Object own = ((Map<?, ?>) jmx.attribute(STORAGE, "HostIdToEndpointWithPort")).get(hostId());
    if (own == null) {
      throw new RecoveryRefusedException("the node's ring does not know the node itself yet");
    }
    return String.valueOf(own);
  }

  List<String> keyspaces() {
    return texts(STORAGE, "NonLocalStrategyKeyspaces").stream().sorted().toList();
  }

  KeyspaceSituation situation(String keyspace, String node) {
    String space = TABLE_SPACE.formatted(keyspace);
    return new KeyspaceSituation(
        keyspace,
        ranges(keyspace, node),
        jmx.names(space).size(),
        hasFormatsByRole(keyspace),
        held(keyspace, space),
        new TreeSet<>(texts(STORAGE, "UnreachableNodesWithPort")),
        rebuildsRepeatedly(),
        bytesOfOthers(node));
  }

  /** Tables on storage engines keep their data in stores, which the metrics of tables leave out. */
  private HeldBytes held(String keyspace, String tableSpace) {
    String engineSpace = ENGINE_SPACE.formatted(keyspace);
    return new HeldBytes(
        jmx.sum(tableSpace, "Count"),
        jmx.names(engineSpace).isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(jmx.sum(engineSpace, "Value")));
  }

  private boolean hasFormatsByRole(String keyspace) {
    return jmx.names(TABLES.formatted(keyspace)).stream()
        .map(table -> (Map<?, ?>) jmx.attribute(table.toString(), "CompactionParameters"))
        .flatMap(parameters -> parameters.keySet().stream())
        .anyMatch(name -> name.toString().startsWith(OF_REDUNDANT));
  }

  private OptionalLong bytesOfOthers(String node) {
    Map<?, ?> loads = (Map<?, ?>) jmx.attribute(STORAGE, "LoadMapWithPort");
    Map<String, String> others = new TreeMap<>();
    loads.forEach((endpoint, load) -> others.put(String.valueOf(endpoint), String.valueOf(load)));
    others.remove(node);
    return NodeLoad.average(others.values());
  }

  private OwnedRanges ranges(String keyspace, String node) {
    List<ReplicatedRange> ring = new ArrayList<>();
    Map<String, String> datacenters = new TreeMap<>();
    Map<?, ?> replicas = (Map<?, ?>) call("getRangeToEndpointWithPortMap", keyspace);
    replicas.forEach(
        (tokens, holders) -> {
          List<String> endpoints = ((List<?>) holders).stream().map(String::valueOf).toList();
          if (endpoints.isEmpty()) {
            return;
          }
          endpoints.forEach(endpoint -> datacenters.computeIfAbsent(endpoint, this::datacenter));
          List<?> bounds = (List<?>) tokens;
          ring.add(
              new ReplicatedRange(
                  TokenRange.parse(String.valueOf(bounds.get(0)), String.valueOf(bounds.get(1))),
                  endpoints));
        });
    return OwnedRanges.of(ring, node, datacenters);
  }

  private String datacenter(String endpoint) {
    return String.valueOf(
        jmx.invoke(
            SNITCH,
            "getDatacenter",
            new Object[] {endpoint},
            new String[] {String.class.getName()}));
  }

  private boolean rebuildsRepeatedly() {
    Object properties = jmx.attribute("java.lang:type=Runtime", "SystemProperties");
    CompositeData entry =
        ((TabularData) properties).get(new Object[] {"cassandra.reset_bootstrap_progress"});
    return entry != null && "true".equals(entry.get("value"));
  }

  /**
   * Streams ranges from one other replica each; returns when all are there.
   *
   * @param sources endpoints to choose from; empty: all
   */
  void rebuild(String keyspace, Collection<TokenRange> ranges, Set<String> sources) {
    String tokens =
        ranges.stream()
            .map(range -> "(" + range.left() + "," + range.right() + "]")
            .collect(Collectors.joining(","));
    callRebuild(keyspace, tokens, sources.isEmpty() ? null : String.join(",", sources));
  }

  /** Streams all ranges that the node keeps of a keyspace. */
  void rebuild(String keyspace) {
    callRebuild(keyspace, null, null);
  }

  private void callRebuild(String keyspace, @Nullable String tokens, @Nullable String sources) {
    jmx.invoke(
        STORAGE,
        "rebuild",
        new Object[] {null, keyspace, tokens, sources},
        new String[] {TEXT, TEXT, TEXT, TEXT});
  }

  /** Starts a repair; 0 if Cassandra sees nothing to repair. */
  int repairAsync(String keyspace, Map<String, String> options) {
    return (int)
        jmx.invoke(
            STORAGE,
            "repairAsync",
            new Object[] {keyspace, options},
            new String[] {TEXT, Map.class.getName()});
  }

  /** State of a repair and messages about it; empty if the node does not know it (any more). */
  List<String> repairStatus(int command) {
    Object status =
        jmx.invoke(STORAGE, "getParentRepairStatus", new Object[] {command}, new String[] {"int"});
    return status instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** Repairs that the node coordinates now, by command. */
  Set<Integer> runningRepairs() {
    Set<Integer> commands = new TreeSet<>();
    for (ObjectName pool : jmx.names(REPAIR_POOLS)) {
      String scope = pool.getKeyProperty("scope");
      commands.add(Integer.parseInt(scope.substring(scope.indexOf('#') + 1)));
    }
    return commands;
  }

  void terminateRepairs() {
    jmx.invoke(STORAGE, "forceTerminateAllRepairSessions", new Object[0], new String[0]);
  }

  /** Bytes received by streaming since the node started; the bean is there from the first on. */
  long receivedBytes() {
    return jmx.sum(RECEIVED, "Count");
  }

  /** Streams under way on the node. */
  Streams streams() {
    long received = 0;
    long expected = 0;
    int rebuilds = 0;
    Collection<?> current = (Collection<?>) jmx.attribute(STREAMS, "CurrentStreams");
    for (Object one : current) {
      CompositeData stream = (CompositeData) one;
      received += ((Number) stream.get("currentRxBytes")).longValue();
      expected += ((Number) stream.get("totalRxBytes")).longValue();
      rebuilds += "Rebuild".equals(stream.get("description")) ? 1 : 0;
    }
    return new Streams(current.size(), rebuilds, received, expected);
  }

  /**
   * @param count streams of any kind
   * @param expectedBytes to receive, as far as senders have announced
   */
  record Streams(int count, int rebuilds, long receivedBytes, long expectedBytes) {
    double fraction() {
      return expectedBytes == 0 ? 0 : Math.min(1, (double) receivedBytes / expectedBytes);
    }
  }

  private Object call(String operation, String argument) {
    return jmx.invoke(STORAGE, operation, new Object[] {argument}, new String[] {TEXT});
  }

  private List<String> texts(String bean, String attribute) {
    return ((List<?>) jmx.attribute(bean, attribute)).stream().map(String::valueOf).toList();
  }
}
