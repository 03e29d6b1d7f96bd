package io.counterpart.cluster;

import java.nio.file.Path;

/** Thrown when a node does not start; the message holds the cause from its own log. */
public final class NodeStartException extends RuntimeException {

  NodeStartException(int nodeIndex, String cause, Path log) {
    super("node " + nodeIndex + " did not start: " + cause + " (log: " + log + ")");
  }
}
