package io.counterpart.cache.vanilla;

import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.tier.Status;

/** The meaning of server answers that carry no object. */
final class Statuses {
  private Statuses() {}

  static Status of(ServerReply reply) {
    return switch (reply.status()) {
      case HD, OK, VA -> Status.DONE;
      case NS -> Status.NOT_STORED;
      case EX -> Status.EXISTS;
      case NF, EN, NOT_FOUND -> Status.NOT_FOUND;
      case SERVER_ERROR ->
          reply.text().startsWith("object too large") ? Status.TOO_LARGE : Status.OUT_OF_MEMORY;
      case CLIENT_ERROR ->
          reply.text().contains("non-numeric") ? Status.NOT_A_NUMBER : Status.UNAVAILABLE;
      default -> Status.UNAVAILABLE;
    };
  }
}
