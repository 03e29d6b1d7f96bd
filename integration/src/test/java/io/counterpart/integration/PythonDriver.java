package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Node;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The Python driver of this machine, such as Debian's {@code python3-cassandra}.
 *
 * @param python an interpreter that can import it
 * @param scratch directory for scripts and output
 */
record PythonDriver(String python, Path scratch) {
  /** Debian's own may have the driver where another one goes first in PATH. */
  private static final List<String> INTERPRETERS = List.of("python3", "/usr/bin/python3");

  /**
   * Where the driver sends a read.
   *
   * @param first host of its query plan
   */
  record Route(String first, TreeSet<String> replicas) {}

  /** Empty, and said so, where there is none. */
  static Optional<PythonDriver> find(Path scratch) throws IOException, InterruptedException {
    Files.createDirectories(scratch);
    for (String python : INTERPRETERS) {
      try {
        if (process(scratch, List.of(python, "-c", "import cassandra.cluster")).exitCode == 0) {
          return Optional.of(new PythonDriver(python, scratch));
        }
      } catch (IOException noInterpreter) {
        // the next one
      }
    }
    System.err.println(
        "SKIPPED: what the Python driver does: none of %s can import cassandra.cluster; Debian: apt-get install python3-cassandra"
            .formatted(INTERPRETERS));
    return Optional.empty();
  }

  /** Routes by key. */
  Map<Integer, Route> routes(Node contact, String keyspace, List<Integer> keys)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(keyspace));
    keys.forEach(key -> arguments.add(key.toString()));
    Map<Integer, Route> routes = new LinkedHashMap<>();
    run("replicas.py", contact, arguments)
        .lines()
        // warnings of the driver go to the same stream
        .filter(line -> line.matches("-?\\d+( [\\d.]+)+"))
        .map(line -> List.of(line.split(" ")))
        .forEach(
            words ->
                routes.put(
                    Integer.valueOf(words.get(0)),
                    new Route(words.get(1), new TreeSet<>(words.subList(2, words.size())))));
    return routes;
  }

  /** What the driver says when a statement fails. */
  String failure(Node contact, String cql) throws IOException, InterruptedException {
    return run("failure.py", contact, List.of(cql));
  }

  private String run(String name, Node contact, List<String> arguments)
      throws IOException, InterruptedException {
    Path script = scratch.resolve(name);
    try (InputStream text = Objects.requireNonNull(PythonDriver.class.getResourceAsStream(name))) {
      Files.write(script, text.readAllBytes());
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                python, script.toString(), contact.address(), Integer.toString(contact.cqlPort())));
    command.addAll(arguments);
    Outcome outcome = process(scratch, command);
    assertThat(outcome.exitCode).as(outcome.text).isZero();
    return outcome.text;
  }

  private record Outcome(int exitCode, String text) {}

  private static Outcome process(Path scratch, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "python", ".txt");
    try {
      int exitCode =
          new ProcessBuilder(command)
              .directory(scratch.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start()
              .waitFor();
      return new Outcome(exitCode, Files.readString(out, UTF_8));
    } finally {
      Files.delete(out);
    }
  }
}
