package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.ConsistencySettings;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * Makes the query handler that comes after {@link ConsistencyQueryHandler}: Cassandra takes one
 * custom handler, so another one joins as our delegate. Stateless.
 */
final class DelegateHandler {
  private DelegateHandler() {}

  /**
   * The handler of that class; Cassandra's own without a class.
   *
   * @throws ConfigurationException with property, value and legal range
   */
  static QueryHandler named(@Nullable String className) {
    if (className == null) {
      return QueryProcessor.instance;
    }
    String trimmed = className.trim();
    if (trimmed.isEmpty()) {
      throw refused(className, "it is empty", null);
    }
    if (trimmed.equals(ConsistencyQueryHandler.class.getName())) {
      throw refused(className, "it would delegate to itself", null);
    }
    try {
      return FBUtilities.construct(trimmed, "query handler", QueryHandler.class);
    } catch (ConfigurationException e) {
      throw refused(className, String.valueOf(e.getMessage()), e);
    }
  }

  private static ConfigurationException refused(
      String className, String reason, @Nullable Throwable cause) {
    return new ConfigurationException(
        ("system property %s is '%s': %s; legal: another query handler's class, with a public"
                + " constructor without arguments")
            .formatted(ConsistencySettings.DELEGATE, className, reason),
        cause);
  }
}
