package io.counterpart.lab.remote.advice;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.core.engine.advice.Advice;
import io.counterpart.core.engine.advice.MixAdvice;
import io.counterpart.core.engine.advice.TableAdvisor;
import io.counterpart.core.engine.advice.TableFacts;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.lab.remote.MemtableSettings;
import io.counterpart.lab.remote.MixOptions;
import io.counterpart.lab.remote.ReadTimes;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.SurveySession;
import io.counterpart.lab.remote.SystemKeyspaces;
import io.counterpart.lab.setup.RunRefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the virtual tables of every node, at two moments or once for all since their starts, and
 * asks for advice. The time of reads comes by JMX where it answers. Changes nothing. Not
 * thread-safe.
 */
public final class WorkloadSurvey implements AutoCloseable {
  private final CqlSession session;
  private final RemoteAccess access;
  private final List<Node> nodes;
  private final Map<String, SchemaFacts> tables;
  private Map<Node, NodeReading> first = new HashMap<>();
  private boolean asksJmx = true;

  private WorkloadSurvey(CqlSession session, RemoteAccess access, List<String> names) {
    this.session = session;
    this.access = access;
    nodes = SurveySession.nodes(session);
    tables = new TreeMap<>();
    for (KeyspaceMetadata keyspace : session.getMetadata().getKeyspaces().values()) {
      if (!keyspace.isVirtual() && !SystemKeyspaces.isOne(keyspace.getName().asInternal())) {
        tables.putAll(SchemaFacts.of(keyspace));
      }
    }
    if (!names.isEmpty()) {
      choose(names);
    }
  }

  /**
   * Connects.
   *
   * @param names {@code keyspace.table} each; empty for all tables but Cassandra's own
   * @throws RunRefusedException if the cluster cannot be reached, a node is down, or there is no
   *     table of a name
   */
  public static WorkloadSurvey open(RemoteAccess access, List<String> names) {
    CqlSession session = SurveySession.open(access);
    try {
      for (Node node : SurveySession.nodes(session)) {
        if (SurveySession.isDown(node)) {
          throw new RunRefusedException(
              SurveySession.name(node) + " is down: its reads and writes cannot be seen");
        }
      }
      return new WorkloadSurvey(session, access, names);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void choose(List<String> names) {
    Map<String, SchemaFacts> chosen = new TreeMap<>();
    for (String name : names) {
      SchemaFacts known = tables.get(name);
      if (known == null && !SystemKeyspaces.isOne(keyspace(name))) {
        throw new RunRefusedException("there is no table " + name);
      }
      chosen.put(name, known == null ? new SchemaFacts(name, "", 1, SchemaFacts.SYSTEM) : known);
    }
    tables.clear();
    tables.putAll(chosen);
  }

  /**
   * Begins a window.
   *
   * @throws RunRefusedException if a node does not answer
   */
  public void begin() {
    first = read();
  }

  /**
   * Ends the window, which began with the nodes unless {@link #begin} was called.
   *
   * @throws RunRefusedException if a node does not answer, or a system table is none
   */
  public WorkloadAdvice advise() {
    List<WorkloadReading.NodeWindow> windows = new ArrayList<>();
    read().forEach((node, end) -> windows.add(window(first.get(node), end)));
    WorkloadReading reading = new WorkloadReading(windows);
    List<TableFacts> facts = new ArrayList<>();
    for (SchemaFacts table : tables.values()) {
      if (table.tie().equals(SchemaFacts.SYSTEM) && !reading.knows(table.name())) {
        throw new RunRefusedException("there is no table " + table.name());
      }
      facts.add(facts(table, reading));
    }
    try {
      List<WorkloadAdvice.OnTable> advised = new ArrayList<>();
      List<Advice> advice = TableAdvisor.advise(facts, memoryBytes());
      for (int i = 0; i < facts.size(); i++) {
        advised.add(
            new WorkloadAdvice.OnTable(facts.get(i), advice.get(i), lacking(advice.get(i))));
      }
      Map<Mix, List<TableFacts>> mixes = mixes(facts);
      return new WorkloadAdvice(
          advised,
          mixes.entrySet().stream().map(mix -> advice(mix.getKey(), mix.getValue())).toList(),
          mixes.keySet().stream().anyMatch(mix -> mix.present.isPresent()));
    } catch (DriverException e) {
      throw refused(e);
    }
  }

  private Map<Node, NodeReading> read() {
    Map<Node, NodeReading> readings = new LinkedHashMap<>();
    try {
      for (Node node : nodes) {
        Map<String, Long> readMicros =
            asksJmx ? ReadTimes.of(session, access, node, tables.keySet()) : Map.of();
        // one that does not answer costs seconds, and the others hardly will
        asksJmx &= tables.isEmpty() || !readMicros.isEmpty();
        readings.put(
            node, NodeReading.of(session, node, Instant.now().getEpochSecond(), readMicros));
      }
    } catch (DriverException e) {
      throw refused(e);
    }
    return readings;
  }

  private static RunRefusedException refused(DriverException e) {
    return new RunRefusedException("the cluster cannot be looked at: " + SurveySession.reason(e));
  }

  private static WorkloadReading.NodeWindow window(@Nullable NodeReading begin, NodeReading end) {
    if (begin == null) {
      return new WorkloadReading.NodeWindow(end.upSeconds(), end.counters(), end);
    }
    Map<String, TableCounters> counters = new HashMap<>();
    end.counters()
        .forEach(
            (table, counted) ->
                counters.put(
                    table,
                    counted.since(begin.counters().getOrDefault(table, TableCounters.NONE))));
    return new WorkloadReading.NodeWindow(
        Math.max(1, end.atNanos() - begin.atNanos()) / 1e9, counters, end);
  }

  private static TableFacts facts(SchemaFacts table, WorkloadReading reading) {
    String name = table.name();
    return new TableFacts(
        name,
        reading.storage(name, table.isDecoupled()),
        table.compaction(),
        table.copies(),
        table.tie(),
        reading.nodeBytes(name),
        reading.hitRatio(name),
        reading.load(name));
  }

  /** Of the node that has least. */
  private long memoryBytes() {
    long least = Long.MAX_VALUE;
    for (Node node : nodes) {
      Row space =
          session
              .execute(
                  SimpleStatement.newInstance(
                          "SELECT value FROM system_views.settings WHERE name ="
                              + " 'memtable_heap_space'")
                      .setNode(node))
              .one();
      String text = space == null ? null : space.getString(0);
      least =
          Math.min(
              least,
              MemoryBudget.of(MemtableSettings.text(session, node), text == null ? "" : text));
    }
    return least;
  }

  private List<String> lacking(Advice advice) {
    return advice.action().isEngine()
        ? nodes.stream()
            .filter(
                node ->
                    MemtableSettings.at(session, node).engine(advice.action().toString()).isEmpty())
            .map(SurveySession::name)
            .toList()
        : List.of();
  }

  /**
   * @param isInPlace whether it is the replication strategy's, and can be changed there
   */
  private record Mix(int copies, Optional<EngineQuotas> present, boolean isInPlace) {}

  private static WorkloadAdvice.OnMix advice(Mix mix, List<TableFacts> tables) {
    List<String> keyspaces =
        mix.isInPlace
            ? tables.stream().map(table -> keyspace(table.name())).distinct().toList()
            : List.of();
    return new WorkloadAdvice.OnMix(MixAdvice.of(mix.copies, tables, mix.present), keyspaces);
  }

  private static String keyspace(String table) {
    return table.substring(0, table.indexOf('.'));
  }

  private Map<Mix, List<TableFacts>> mixes(List<TableFacts> facts) {
    Map<Mix, List<TableFacts>> mixes = new LinkedHashMap<>();
    for (TableFacts table : facts) {
      String keyspace = keyspace(table.name());
      session.getMetadata().getKeyspaces().values().stream()
          .filter(known -> known.getName().asInternal().equals(keyspace))
          .findFirst()
          .ifPresent(
              known ->
                  mixes
                      .computeIfAbsent(
                          new Mix(
                              table.copies(),
                              PresentMix.of(session, known),
                              MixOptions.isMixed(known.getReplication())),
                          unused -> new ArrayList<>())
                      .add(table));
    }
    return mixes;
  }

  @Override
  public void close() {
    session.close();
  }
}
