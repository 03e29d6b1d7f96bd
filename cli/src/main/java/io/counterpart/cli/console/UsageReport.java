package io.counterpart.cli.console;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The message about wrong arguments: a line or two, with a pointer to help. */
public final class UsageReport implements IParameterExceptionHandler {

  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("counterpart: " + failure.getMessage());
    UnmatchedArgumentException.printSuggestions(failure, err);
    err.println("see: " + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return ExitCodes.USAGE;
  }
}
