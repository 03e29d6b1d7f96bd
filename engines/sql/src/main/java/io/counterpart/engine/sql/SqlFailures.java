package io.counterpart.engine.sql;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a failure of the server or of the way to it means. */
final class SqlFailures {
  /**
   * Lock wait timeout, deadlock, interrupted query, server shutting down, too many connections;
   * read-only, as a server is before it takes over.
   */
  private static final Set<Integer> PASSING =
      Set.of(1205, 1213, 1317, 1053, 1040, 1203, 1290, 1836);

  /** Disk full, error writing a file, table full; out of memory. */
  private static final Set<Integer> OUT_OF_SPACE = Set.of(1021, 1026, 1114, 1037, 1038, 1041, 3);

  private SqlFailures() {}

  /** Whether the same call may succeed later without a change by an operator. */
  static boolean mayPass(SQLException failure) {
    return isOutage(failure)
        || PASSING.contains(failure.getErrorCode())
        || OUT_OF_SPACE.contains(failure.getErrorCode());
  }

  /** Whether the server cannot be reached, or does not answer. */
  static boolean isOutage(SQLException failure) {
    for (Throwable cause = failure; cause instanceof SQLException sql; cause = cause.getCause()) {
      if (isRefusal(sql)) {
        return false;
      }
      String state = sql.getSQLState();
      if (sql instanceof SQLNonTransientConnectionException
          || sql instanceof SQLTransientConnectionException
          || state != null && state.startsWith("08")) {
        Throwable inner = sql.getCause();
        return !(inner instanceof SQLException deeper && isRefusal(deeper));
      }
    }
    return isTimeout(failure);
  }

  /** Access denied, in some way, or a trigger's SIGNAL: the server is there. */
  private static boolean isRefusal(SQLException failure) {
    String state = failure.getSQLState();
    if (state != null && state.startsWith("45")) {
      return true; // MariaDB's driver takes it for a lost connection
    }
    return switch (failure.getErrorCode()) {
      case 1044, 1045, 1129, 1130, 1698 -> true;
      default -> false;
    };
  }

  /** Whether an answer did not come in time: a second question would wait as long again. */
  static boolean isTimeout(SQLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException
          || cause instanceof SQLTransientConnectionException) {
        return true;
      }
    }
    return false;
  }

  /** The innermost message, which tells more than those around it. */
  static String reason(SQLException failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String code = failure.getErrorCode() == 0 ? "" : " (error " + failure.getErrorCode() + ")";
    return (message == null ? cause.toString() : message) + code;
  }
}
