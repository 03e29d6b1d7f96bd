package io.counterpart.lab.remote.advice;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.SurveySession;
import io.counterpart.lab.setup.RunRefusedException;
import java.time.Duration;

/** A table that gets decoupled compaction. Not thread-safe. */
public final class DecoupledSwitch implements AutoCloseable {
  private static final String STRATEGY =
      "io.counterpart.cassandra.compaction.DecoupledCompactionStrategy";
  private static final String JAR = "counterpart-cassandra-";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final CqlSession session;
  private final String table;

  DecoupledSwitch(CqlSession session, String table) {
    this.session = session;
    this.table = table;
  }

  /**
   * Connects, and looks whether every node has the plugin on its class path. Changes nothing.
   *
   * @param table {@code keyspace.table}
   * @throws RunRefusedException if the cluster cannot be reached, or a node is down or lacks it
   */
  public static DecoupledSwitch open(RemoteAccess access, String table) {
    CqlSession session = SurveySession.open(access);
    for (Node node : SurveySession.nodes(session)) {
      if (SurveySession.classPath(session, node).filter(path -> path.contains(JAR)).isEmpty()) {
        session.close();
        throw new RunRefusedException(
            "%s does not answer, or has no %s*.jar on its class path: counterpart doctor"
                .formatted(SurveySession.name(node), JAR));
      }
    }
    return new DecoupledSwitch(session, table);
  }

  /** The statement that changes a table. */
  public static String statement(String table) {
    int dot = table.indexOf('.');
    return "ALTER TABLE %s.%s WITH compaction = {'class': '%s'};"
        .formatted(
            CqlIdentifier.fromInternal(table.substring(0, dot)).asCql(true),
            CqlIdentifier.fromInternal(table.substring(dot + 1)).asCql(true),
            STRATEGY);
  }

  /**
   * Changes the table. Nodes rewrite its sstables in the background.
   *
   * @return false if no answer comes: whether it is changed is open
   * @throws RunRefusedException if the cluster refuses
   */
  public boolean run() {
    try {
      session.execute(SimpleStatement.newInstance(statement(table)).setTimeout(LIMIT));
      return true;
    } catch (DriverException e) {
      if (!SurveySession.isRefusal(e)) {
        return false;
      }
      throw new RunRefusedException(
          "%s keeps its compaction: %s".formatted(table, SurveySession.reason(e)));
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
