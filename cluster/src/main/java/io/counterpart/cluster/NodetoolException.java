package io.counterpart.cluster;

/** NodeTool ended with an error; the message holds what it printed. */
public final class NodetoolException extends RuntimeException {

  NodetoolException(String arguments, int exitCode, String output) {
    super("nodetool " + arguments + " ended with " + exitCode + ": " + output.strip());
  }
}
