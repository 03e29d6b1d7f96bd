package io.counterpart.driver;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells once that requests with a known row go to any node, because the driver does not know the
 * row's replicas. A request without a row, such as a schema change or a statement with literals in
 * place of bound values, has no replicas and is no reason to tell; nor has a virtual table.
 * Thread-safe.
 */
final class UnknownReplicas {
  private static final String UNKNOWN_STRATEGY =
      "a keyspace has a replication strategy that the driver does not know, which costs the token"
          + " map of all keyspaces: leave that keyspace out of"
          + " advanced.metadata.schema.refreshed-keyspaces";
  private static final String NO_TOKEN_MAP =
      "the driver has no token map, so requests go to any node and not to the primary replica."
          + " Either advanced.metadata.token-map.enabled is false, or "
          + UNKNOWN_STRATEGY;
  private static final String NOT_IN_TOKEN_MAP =
      "keyspace %s is not in the driver's token map, so its requests go to any node and not to the"
          + " primary replica. Either advanced.metadata.schema.enabled is false, or"
          + " advanced.metadata.schema.refreshed-keyspaces leaves out this keyspace, or "
          + UNKNOWN_STRATEGY;

  private final Consumer<String> warning;
  private final AtomicBoolean told = new AtomicBoolean();

  /** The warning goes to operators: a message without the session's name. */
  UnknownReplicas(Consumer<String> warning) {
    this.warning = warning;
  }

  /** Called for each request without replicas; cheap once it has told. */
  void report(@Nullable Request request, @Nullable Session session, Metadata metadata) {
    if (told.get() || request == null || session == null || !names(request)) {
      return;
    }
    if (metadata.getTokenMap().isEmpty()) {
      tell(NO_TOKEN_MAP);
      return;
    }
    keyspace(request, session)
        .filter(name -> !isVirtual(name, metadata))
        .ifPresent(name -> tell(NOT_IN_TOKEN_MAP.formatted(name.asCql(true))));
  }

  private void tell(String message) {
    if (told.compareAndSet(false, true)) {
      warning.accept(message);
    }
  }

  private static boolean names(Request request) {
    return request.getRoutingToken() != null || request.getRoutingKey() != null;
  }

  private static boolean isVirtual(CqlIdentifier name, Metadata metadata) {
    return metadata.getKeyspace(name).map(keyspace -> keyspace.isVirtual()).orElse(false);
  }

  /** In the driver's order of precedence. */
  private static Optional<CqlIdentifier> keyspace(Request request, Session session) {
    return Optional.ofNullable(request.getKeyspace())
        .or(() -> Optional.ofNullable(request.getRoutingKeyspace()))
        .or(session::getKeyspace);
  }
}
