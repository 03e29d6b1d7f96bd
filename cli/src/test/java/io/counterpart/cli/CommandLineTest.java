package io.counterpart.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.counterpart.cli.nodes.StartLock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line as a user meets it, without a cluster. */
class CommandLineTest {

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TestFactory
  Stream<DynamicTest> every_command_has_help_and_version() {
    return Main.commandLine().getSubcommands().keySet().stream()
        .filter(name -> !name.equals("help"))
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      assertThat(run(name, "--help")).isZero();
                      assertThat(out.toString()).contains("Usage: counterpart " + name);
                      assertThat(run(name, "--version")).isZero();
                    }));
  }

  @Test
  void without_a_command_it_shows_the_commands_and_fails() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("up", "doctor", "install", "Exit codes");
  }

  @Test
  void bad_engines_are_usage_errors_with_value_and_range() {
    usageError("--servers is missing, legal: 1 and above", "up", "--engines=write=lsm");
    usageError("--engines is missing, legal: CLASS=ENGINE", "up", "--servers=2");
    badEngines(
        "--engines has class write alone, legal: CLASS=ENGINE of two classes or three, such as"
            + " write=lsm,read=lmdb,memory=memory",
        "--servers=2",
        "write=lsm");
    badEngines("--servers is 0, legal: 1 and above", "--servers=0", "write=lsm");
    badEngines("--servers is 11, not in 1..10", "--servers=11", "write=lsm,read=lmdb,memory=lmdb");
    badEngines(
        "--engines has 'fast=lsm', legal: CLASS=ENGINE, where CLASS is one of [write, read, memory]",
        "--servers=2",
        "fast=lsm");
    badEngines("--engines has 'write', legal: CLASS=ENGINE", "--servers=2", "write");
    badEngines("--engines names class write twice", "--servers=2", "write=lsm,write=lmdb");
    badEngines(
        "--engines: engine of class read is 'innodb', legal: one of [lsm, lmdb, memory, volatile, sql, redis]",
        "--servers=2",
        "write=lsm,read=innodb");
    badEngines(
        "--engines: classes with an engine are [write, read], legal: [write, read, memory], which"
            + " keep copies (write 2, read 1, memory 1)",
        "--servers=2",
        "write=lsm,read=lmdb",
        "--quorum=4,3,2");
    badEngines("--quorum is '3', legal: N,W,R", "--servers=2", "write=lsm", "--quorum=3");
    badEngines("(R) is 2 + 1 = 3, legal: 4 to 6", "--servers=2", "write=lsm", "--quorum=3,2,1");
    badEngines(
        "nodes is 3, legal: a multiple of 3, a node of each class on 2 servers or more",
        "--servers=1",
        "write=lsm,read=lmdb,memory=lmdb",
        "--quorum=4,3,2");
    badEngines(
        "--heap is 700, legal: 768 and above, 256 for each of a server's 3 nodes",
        "--servers=2",
        "write=lsm,read=lmdb,memory=lmdb",
        "--heap=700");
    for (String option :
        List.of("--nodes=3", "--racks=2", "--placement=por", "--rf=2", "--stock")) {
      badEngines(
          "--engines and " + option.replaceAll("=.*", "") + " exclude each other",
          "--servers=2",
          "write=lsm",
          option);
    }
    badEngines(
        "--engines and --yaml memtable exclude each other",
        "--servers=2",
        "write=lsm",
        "--yaml=memtable={}");
  }

  private void badEngines(String message, String servers, String engines, String... more) {
    String[] arguments =
        Stream.concat(Stream.of("up", servers, "--engines=" + engines), Stream.of(more))
            .toArray(String[]::new);
    usageError(message, arguments);
  }

  @Test
  void bad_values_are_usage_errors_with_value_and_range() {
    usageError("Unknown option", "up", "--nods=3");
    usageError("nodes is 99, not in 1..32", "up", "--nodes=99");
    usageError("tokens per node is 0, not in 1..256", "up", "--stock", "--tokens=0");
    usageError("--rf is 4, not in 1..3", "up", "--nodes=3", "--rf=4");
    usageError("--racks is 3, not in 1..2", "up", "--nodes=4", "--dcs=2", "--racks=3");
    usageError("--stock and --jar exclude each other", "up", "--stock", "--jar=x");
    usageError(
        "--placement is 'hashed', legal: one of [even, por, random]",
        "up",
        "--stock",
        "--placement=hashed");
    usageError("--stock and --engine exclude each other", "up", "--stock", "--engine=lmdb");
    usageError("the table is 'users', legal: KEYSPACE.TABLE", "engine", "migrate", "users", "lmdb");
    usageError(
        "the engine is 'l-m', legal: letters, digits and _", "engine", "migrate", "a.b", "l-m");
    usageError(
        "--timeout is 0, legal: 1 to 604800", "engine", "migrate", "a.b", "lmdb", "--timeout=0");
    usageError("the table is 'users', legal: KEYSPACE.TABLE", "engine", "advise", "a.b", "users");
    for (String window : List.of("0s", "25h", "60", "-1s", "1d")) {
      usageError(
          "--for is '" + window + "', legal: 1s to 24h", "engine", "advise", "--for=" + window);
    }
    usageError("mutually exclusive", "engine", "advise", "--for=1s", "--since-start");
    usageError("--rack is 's4', legal: SERVER/CLASS", "engine", "tokens", "--rack=s4");
    usageError(
        "--tokens is 0, legal: 1 to 256", "engine", "tokens", "--rack=s4/read", "--tokens=0");
    usageError("--yes: only with --apply", "engine", "advise", "--yes");
    usageError("--reads-at: only with --apply", "engine", "advise", "--reads-at=TWO");
    usageError(
        "--writes-at: only with --reads-at",
        "engine",
        "advise",
        "--apply",
        "--yes",
        "--writes-at=TWO");
    usageError(
        "--reads-at is 'MOST', legal: one of [ONE, QUORUM",
        "engine",
        "advise",
        "--apply",
        "--yes",
        "--reads-at=MOST");
    usageError("the mix: '3,2', legal: N,W,R such as 3,2,2", "engine", "mix", "ks", "3,2");
    usageError("the mix: write quorum (W) is 4, legal: 1 to 3", "engine", "mix", "ks", "3,4,2");
    usageError("= 3, legal: 4 to 6, so that each read", "engine", "mix", "ks", "3,2,1");
    usageError(
        "--writes-at is 'FOUR', legal: one of [ONE, QUORUM, ALL, TWO, THREE, LOCAL_ONE,",
        "engine",
        "mix",
        "ks",
        "3,2,2",
        "--writes-at=FOUR");
    usageError("add --yes", "engine", "advise", "--apply", "--json");
    usageError(
        "--engine is 'innodb', legal: one of [lmdb, memory, redis, sql]", "up", "--engine=innodb");
    usageError(
        "--engine and --yaml memtable exclude each other",
        "up",
        "--engine=lmdb",
        "--yaml=memtable={}");
    usageError("which is not YAML", "up", "--stock", "--yaml", "a=[");
    usageError("there is no statement", "cql", " ; -- nothing");
    usageError("' is missing", "cql", "SELECT 'x");
    usageError("--port is 0, not in 1..65535", "cql", "--port=0", "SELECT 1");
    usageError("--consistency", "cql", "--consistency=MOST", "SELECT 1");
    usageError("--host is 'h:x', not HOST:PORT", "doctor", "--host=h:x");
    usageError("--host is '::1', not HOST:PORT or [IPv6]:PORT", "doctor", "--host=::1");
    usageError("--host port is 0, not in 1..65535", "doctor", "--host=h:0");
    for (List<String> everywhere :
        List.of(
            List.of("engine", "migrate", "a.b", "lmdb"),
            List.of("engine", "advise"),
            List.of("engine", "mix", "ks", "3,2,2"),
            List.of("engine", "tokens", "--rack=s1/read"),
            List.of("doctor"))) {
      usageError(
          "--local-dc: every datacenter is worked on",
          Stream.concat(
                  everywhere.stream(), Stream.of("--contact-points=127.0.0.1:1", "--local-dc=dc2"))
              .toArray(String[]::new));
    }
    usageError("--jmx-port 0", "doctor", "--contact-points=127.0.0.1", "--jmx-port=0");
    usageError("Missing required option", "install");
    usageError("Missing required parameter", "nodetool");
    usageError("Missing required parameter", "node", "start");
    usageError("'two'", "node", "pause", "two");
    usageError("--add=N | --remove", "plan-ring");
    usageError("mutually exclusive", "plan-ring", "--add=1", "--rf=3");
    usageError("--rack: only with --add", "plan-ring", "--rf=3", "--rack=r1");
    usageError("--dc: only with --add and --rf", "plan-ring", "--remove=1", "--dc=dc1");
    usageError("--local-dc", "plan-ring", "--rf=3", "--contact-points=127.0.0.1", "--local-dc=d");
  }

  @Test
  void what_is_missing_is_a_precondition() {
    String home = "--home=" + directory.resolve("none");
    precondition("no cluster under " + directory.resolve("none"), "status", home);
    precondition("no cluster runs under", "nodetool", home, "status");
    for (String action : List.of("kill", "stop", "pause", "resume", "start")) {
      precondition("no cluster under " + directory.resolve("none"), "node", action, "1", home);
    }
    precondition("no cluster runs under", "plan-ring", "--add=1", home);
    precondition(
        "no contact point answers CQL", "plan-ring", "--rf=2", "--contact-points=127.0.0.1:1");
    precondition("no node answers CQL on 127.0.0.1:1", "cql", "--port=1", "SELECT 1");
    precondition("no cluster runs under", "cql", home, "SELECT 1");
    precondition("no cluster runs under", "engine", "advise", home);
    precondition("no cluster runs under", "engine", "tokens", "--rack=s1/read", home);
    precondition("no cluster runs under", "engine", "mix", "ks", "3,2,2", home);
    precondition(
        "no contact point answers CQL", "engine", "advise", "--contact-points=127.0.0.1:1");
    precondition("no contact point answers CQL", "doctor", "--contact-points=127.0.0.1:1");
    precondition("cannot read", "cql", "-f", directory.resolve("none.cql").toString());
    precondition("is no directory", "install", "--into", directory.resolve("none").toString());
  }

  /** A bench deletes the data of clusters with its mark, one that it left behind perhaps. */
  @Test
  void a_cluster_that_is_to_stay_has_no_mark_of_a_bench() throws Exception {
    Path mark = Files.createFile(directory.resolve("throwaway.cluster"));

    precondition(
        "server jars", "up", "--stock", "--server-lib=" + directory, "--home=" + directory);

    assertThat(mark).doesNotExist();
  }

  @Test
  void a_demo_spares_the_cluster_that_is_in_its_directory() throws Exception {
    Path home = Files.createDirectories(directory.resolve("cluster"));
    Files.writeString(home.resolve("cluster.json"), "{}");

    precondition("whose data would be deleted", "demo", "--out=" + directory);

    assertThat(home.resolve("cluster.json")).exists();
  }

  @Test
  void a_cluster_is_started_by_one_command_at_a_time() throws Exception {
    try (StartLock first = StartLock.take(directory.resolve("other"))) {
      precondition(
          "is being started or stopped by another command",
          "up",
          "--home=" + directory.resolve("other"));
    }
  }

  @Test
  void down_waits_for_a_command_that_starts_nodes_before_it_says_that_none_runs() throws Exception {
    StartLock starting = StartLock.take(directory);
    PrintWriter progress =
        new PrintWriter(err) {
          @Override
          public void println(String line) {
            super.println(line);
            assertThat(CommandLineTest.this.out.toString()).isEmpty();
            assertThatCode(starting::close).doesNotThrowAnyException();
          }
        };

    int exitCode =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(progress)
            .execute("down", "--home=" + directory);

    assertThat(exitCode).isZero();
    assertThat(err.toString()).contains("another command starts or stops nodes");
    assertThat(out.toString()).contains("nothing runs");
  }

  @Test
  void down_without_a_cluster_is_done_already() {
    assertThat(run("down", "--home=" + directory, "--json")).isZero();
    assertThat(out.toString()).contains("\"stopped\" : [ ]");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void down_takes_a_link_to_the_home_too() throws Exception {
    Path home = directory.resolve("home");
    StartLock.take(home).close();
    Path link = Files.createSymbolicLink(directory.resolve("link"), home);

    assertThat(run("down", "--home=" + link)).as(err.toString()).isZero();
  }

  @Test
  void install_replaces_older_jars_and_says_what_remains() throws Exception {
    Path lib = Files.createDirectory(directory.resolve("lib"));
    Files.createFile(lib.resolve("apache-cassandra-5.0.4.jar"));
    Files.createFile(lib.resolve("counterpart-cassandra-0.0.1.jar"));
    Path jar = TestJars.write(directory.resolve("counterpart-cassandra-0.1.0.jar"), "0.1.0");

    assertThat(run("install", "--into", lib.toString(), "--jar", jar.toString()))
        .as(err.toString())
        .isZero();

    assertThat(names(lib))
        .containsExactlyInAnyOrder("apache-cassandra-5.0.4.jar", "counterpart-cassandra-0.1.0.jar");
    assertThat(lib.resolve("counterpart-cassandra-0.1.0.jar")).hasSameBinaryContentAs(jar);
    assertThat(out.toString())
        .contains("what remains to do", "restart the nodes", "new cqlsh session");
  }

  /** Whoever wants an engine's jar beside the plugin must not lose the plugin. */
  @Test
  void install_takes_no_other_jar_for_the_plugin() throws Exception {
    Path lib = Files.createDirectory(directory.resolve("lib"));
    Files.createFile(lib.resolve("apache-cassandra-5.0.9.jar"));
    Files.createFile(lib.resolve("counterpart-cassandra-0.1.0.jar"));
    Path engine = TestJars.write(directory.resolve("counterpart-engine-lmdb-0.1.0.jar"), "0.1.0");

    usageError(
        "legal: a plugin jar, counterpart-cassandra-*.jar",
        "install",
        "--into",
        lib.toString(),
        "--jar",
        engine.toString());

    assertThat(names(lib))
        .containsExactlyInAnyOrder("apache-cassandra-5.0.9.jar", "counterpart-cassandra-0.1.0.jar");
  }

  @Test
  void install_finds_the_server_of_a_debian_package_above_its_lib() throws Exception {
    Path lib = Files.createDirectories(directory.resolve("cassandra/lib"));
    Files.createFile(directory.resolve("cassandra/apache-cassandra-5.0.9.jar"));
    Path jar = TestJars.write(directory.resolve("counterpart-cassandra-0.1.0.jar"), "0.1.0");

    assertThat(run("install", "--into", lib.toString(), "--jar", jar.toString()))
        .as(err.toString())
        .isZero();

    assertThat(names(lib)).containsExactly("counterpart-cassandra-0.1.0.jar");
  }

  @Test
  void install_refuses_what_is_no_cassandra_5_0_and_leaves_it_alone() throws Exception {
    Path jar = TestJars.write(directory.resolve("counterpart-cassandra-0.1.0.jar"), "0.1.0");
    Path other = Files.createDirectory(directory.resolve("other"));
    precondition(
        "is no Cassandra lib", "install", "--into", other.toString(), "--jar", jar.toString());

    Files.createFile(other.resolve("apache-cassandra-4.1.3.jar"));
    precondition(
        "holds Cassandra 4.1", "install", "--into", other.toString(), "--jar", jar.toString());

    assertThat(names(other)).containsExactly("apache-cassandra-4.1.3.jar");
  }

  @Test
  void doctor_says_which_directory_lacks_the_plugin_or_has_another() throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    Path third = Files.createDirectory(directory.resolve("third"));
    TestJars.write(first.resolve("counterpart-cassandra-0.1.0.jar"), "0.1.0");
    TestJars.write(second.resolve("counterpart-cassandra-0.2.0.jar"), "0.2.0");

    int exit =
        run(
            "doctor",
            "--lib",
            first.toString(),
            "--lib",
            second.toString(),
            "--lib",
            third.toString());

    assertThat(exit).isEqualTo(1);
    assertThat(out.toString().lines().filter(line -> line.startsWith("WRONG")))
        .anySatisfy(line -> assertThat(line).contains(second.toString(), "0.2.0", "differs"))
        .anySatisfy(line -> assertThat(line).contains(third.toString(), "missing"));
  }

  private void usageError(String message, String... arguments) {
    assertThat(run(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
    assertThat(err.toString()).contains(message, "--help");
    assertThat(out.toString()).isEmpty();
  }

  private void precondition(String message, String... arguments) {
    assertThat(run(arguments)).as(String.join(" ", arguments) + err).isEqualTo(3);
    assertThat(err.toString()).contains(message);
    assertThat(out.toString()).isEmpty();
  }

  private static List<String> names(Path directory) throws java.io.IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine command = Main.commandLine();
    return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
