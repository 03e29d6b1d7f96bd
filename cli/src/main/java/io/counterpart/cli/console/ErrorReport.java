package io.counterpart.cli.console;

import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.process.PreflightException;
import java.io.PrintWriter;
import java.util.concurrent.CancellationException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns a failure into one readable line on standard error and an exit code. Stays silent about
 * failures after the process was told to end, except for a cancellation, which says how to go on.
 */
public final class ErrorReport implements IExecutionExceptionHandler {

  /** Set to any value to see the stack trace. */
  private static final String TRACE_VARIABLE = "COUNTERPART_TRACE";

  private static final int INTERRUPTED = 130;

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    boolean traced = System.getenv(TRACE_VARIABLE) != null;
    if (ProcessEnd.isUnderWay() && !(failure instanceof CancellationException) && !traced) {
      // servers end with this process: whoever asked for that need not hear that they are gone
      return INTERRUPTED;
    }
    PrintWriter err = command.getErr();
    err.println("counterpart: " + message(failure));
    if (traced) {
      failure.printStackTrace(err);
    }
    err.flush();
    return exitCode(failure);
  }

  private static int exitCode(Exception failure) {
    if (failure instanceof PreconditionException
        || failure instanceof PreflightException
        || failure instanceof RunRefusedException) {
      return ExitCodes.PRECONDITION;
    }
    if (failure instanceof CancellationException || failure instanceof InterruptedException) {
      return INTERRUPTED;
    }
    return ExitCodes.FAILURE;
  }

  private static String message(Exception failure) {
    String text = failure.getMessage();
    return text == null || text.isBlank() ? failure.getClass().getSimpleName() : text;
  }
}
