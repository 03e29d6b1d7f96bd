package io.counterpart.cli.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.ContactPoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart cql}: runs statements and prints their rows. */
@Command(
    name = "cql",
    mixinStandardHelpOptions = true,
    description = "Runs CQL statements on a node and prints the rows.",
    footerHeading = "%nAn interactive shell is Cassandra's own, from PyPI:%n",
    footer = {"  pipx install cqlsh   (or: pip install cqlsh)", "  cqlsh 127.0.0.1 9042"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every statement succeeded",
      "1:a statement failed; those before it were done, those after it were not tried",
      "2:a bad option, or text that cannot be split into statements; nothing was tried",
      "3:nothing answers CQL there, or the file cannot be read"
    })
public final class CqlCommand implements Callable<Integer> {
  private static final int CQL_PORT = 9042;

  @Spec private CommandSpec command;
  @Mixin private Output output;

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description =
          "Directory of a cluster of this machine: its first node that runs coordinates, unless"
              + " --host names another one.")
  private @Nullable Path home;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Node that coordinates (default: 127.0.0.1, or that of --home).")
  private @Nullable String givenHost;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Its CQL port (default: 9042, or that of --home).")
  private @Nullable Integer givenPort;

  @Option(
      names = "--consistency",
      paramLabel = "CL",
      defaultValue = "LOCAL_ONE",
      description = "Consistency level (default: LOCAL_ONE): ${COMPLETION-CANDIDATES}.")
  private DefaultConsistencyLevel consistency = DefaultConsistencyLevel.LOCAL_ONE;

  @Option(
      names = "--limit",
      paramLabel = "ROWS",
      defaultValue = "1000",
      description = "Rows shown of each result, 1 to 1000000 (default: 1000).")
  private int limit;

  /** A statement or a file. */
  static final class Source {
    @Parameters(
        index = "0",
        paramLabel = "STATEMENT",
        description = "One or more statements, separated by semicolons.")
    private @Nullable String text;

    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "File with statements.")
    private @Nullable Path file;
  }

  @Override
  public Integer call() {
    if (givenPort != null) {
      requireRange("--port", givenPort, 65_535);
    }
    requireRange("--limit", limit, 1_000_000);
    List<String> statements = statements();
    ContactPoint point = contactPoint();
    List<RowView> results = new ArrayList<>();
    try (CqlSession session = Sessions.open(point.host(), point.port())) {
      Node coordinator = coordinator(session, point);
      for (String statement : statements) {
        results.add(run(session, coordinator, statement));
      }
    } catch (StatementFailure failure) {
      print(results);
      output.progress("counterpart: " + failure.getMessage());
      return ExitCodes.FAILURE;
    }
    print(results);
    return ExitCodes.OK;
  }

  private ContactPoint contactPoint() {
    String host = "127.0.0.1";
    int port = CQL_PORT;
    if (home != null) {
      Path directory = home.toAbsolutePath().normalize();
      io.counterpart.cluster.Node node =
          Cluster.attach(directory)
              .orElseThrow(() -> new PreconditionException("no cluster runs under " + directory))
              .nodes()
              .stream()
              .filter(io.counterpart.cluster.Node::isRunning)
              .findFirst()
              .orElseThrow(
                  () -> new PreconditionException("every node under " + directory + " is paused"));
      host = node.address();
      port = node.cqlPort();
    }
    return new ContactPoint(
        givenHost == null ? host : givenHost, givenPort == null ? port : givenPort);
  }

  private RowView run(CqlSession session, @Nullable Node coordinator, String statement) {
    SimpleStatement prepared =
        SimpleStatement.newInstance(statement).setConsistencyLevel(consistency);
    try {
      return RowView.of(session.execute(prepared.setNode(coordinator)), limit);
    } catch (DriverException e) {
      throw new StatementFailure(e.getMessage() + "  [" + abbreviate(statement) + "]");
    }
  }

  // virtual tables answer for the node that is asked, so the named host must be the coordinator
  private static @Nullable Node coordinator(CqlSession session, ContactPoint point) {
    // a name, or another form of an address, is the address that it stands for
    InetSocketAddress named = new InetSocketAddress(point.host(), point.port());
    // several nodes may have one address, and ports of their own
    return first(session, node -> node.getEndPoint().resolve().equals(named))
        .or(() -> first(session, node -> isAt(node, named)))
        .orElse(null);
  }

  private static Optional<Node> first(CqlSession session, Predicate<Node> wanted) {
    return session.getMetadata().getNodes().values().stream().filter(wanted).findFirst();
  }

  /** Of a node that tells another port than the one that leads to it. */
  private static boolean isAt(Node node, InetSocketAddress named) {
    return node.getBroadcastRpcAddress()
        .map(address -> Objects.equals(address.getAddress(), named.getAddress()))
        .orElse(false);
  }

  private List<String> statements() {
    String text = source.text;
    Path file = source.file;
    try {
      if (file != null) {
        text = Files.readString(file, StandardCharsets.UTF_8);
      }
      List<String> statements = StatementSplitter.split(Objects.requireNonNull(text));
      if (statements.isEmpty()) {
        throw new IllegalArgumentException("there is no statement");
      }
      return statements;
    } catch (IOException e) {
      throw new PreconditionException("cannot read " + file);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private void print(List<RowView> results) {
    List<RowView> shown = results.stream().filter(result -> !result.columns().isEmpty()).toList();
    String text =
        shown.stream()
            .map(RowView::text)
            .collect(Collectors.joining(System.lineSeparator() + System.lineSeparator()));
    if (output.isJson() || !text.isEmpty()) {
      output.result(results, text);
    }
  }

  private void requireRange(String option, int value, int high) {
    if (value < 1 || value > high) {
      throw new ParameterException(
          command.commandLine(), option + " is " + value + ", not in 1.." + high);
    }
  }

  private static String abbreviate(String statement) {
    String line = statement.replaceAll("\\s+", " ");
    return line.length() <= 80 ? line : line.substring(0, 77) + "...";
  }

  private static final class StatementFailure extends RuntimeException {
    StatementFailure(String message) {
      super(message);
    }
  }
}
