package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Entries of cassandra.yaml in force on a node. */
final class RemoteNodeSettings {
  private RemoteNodeSettings() {}

  /** The values of some entries; without those that the node does not tell, or not us. */
  static Map<String, Object> of(CqlSession session, Node node, Set<String> names) {
    String query = "SELECT value FROM system_views.settings WHERE name = ?";
    Map<String, Object> settings = new TreeMap<>();
    for (String name : names) {
      try {
        Row row = session.execute(SimpleStatement.newInstance(query, name).setNode(node)).one();
        String value = row == null ? null : row.getString(0);
        if (value != null) {
          settings.put(name, value);
        }
      } catch (QueryValidationException notAllowed) {
        return settings;
      }
    }
    return settings;
  }
}
