package io.counterpart.cli.console;

/** The exit codes, the same for every command. */
public final class ExitCodes {

  public static final int OK = 0;

  /** The command was understood and tried, and did not succeed. */
  public static final int FAILURE = 1;

  /** An unknown option or an illegal value; nothing was tried. */
  public static final int USAGE = 2;

  /** The machine, the directory or the cluster is not in the state that the command needs. */
  public static final int PRECONDITION = 3;

  private ExitCodes() {}
}
