package io.counterpart.cluster;

/** Thrown when NodeTool ends with an error; the message holds its output. */
public final class NodetoolException extends RuntimeException {

  NodetoolException(String arguments, int exitCode, String output) {
    super("nodetool " + arguments + " ended with " + exitCode + ": " + output.strip());
  }
}
