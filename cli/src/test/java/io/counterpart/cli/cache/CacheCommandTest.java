package io.counterpart.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.ErrorReport;
import io.counterpart.cli.console.UsageReport;
import io.counterpart.memcached.tier.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The commands' refusals, before anything is started or written. */
class CacheCommandTest {

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bad_values_are_usage_errors_with_value_and_range() {
    usageError("--servers is 0, not in 5..256 with code (5,3)", "--servers=0");
    usageError("--servers is 4, not in 5..256 with code (5,3)", "--servers=4");
    usageError("--servers is 13, not in 14..256 with code (14,10)", "--servers=13", "--code=14,10");
    usageError("--servers is 0, not in 1..256", "--servers=0", "--scheme=vanilla");
    usageError("--servers is 257, not in 5..256", "--servers=257");
    usageError("Invalid value for option '--servers'", "--servers=many");
    usageError("--memory: memory megabytes are 3, not in 4..1048576", "--memory=3");
    usageError("--heap is 63, not in 64..32768", "--heap=63");
    usageError("--request-memory is 15, not in 16..112", "--request-memory=15");
    usageError("--request-memory is 113, not in 16..112", "--request-memory=113");
    usageError("--request-memory is 29, not in 16..28", "--request-memory=29", "--heap=64");
    usageError("--client-memory is 0, not in 1..56", "--client-memory=0");
    usageError("--client-memory is 17, not in 1..16", "--client-memory=17", "--request-memory=16");
    usageError("--port is 1024, not in 1025..65530", "--port=1024");
    usageError("--port is 65531, not in 1025..65530", "--port=65531");
    usageError("--port is 65533, not in 1025..65532", "--port=65533", "--scheme=vanilla");
    usageError("--port is 65529, not in 1025..65528", "--port=65529", "--servers=7");
    usageError("--metrics-port is 80, not in 1024..65535", "--metrics-port=80");
    usageError(
        "--metrics-port is 11213, not another port than the 6 from 11211 on, which are taken",
        "--metrics-port=11213");
    usageError("--scheme is 'best', legal: echash, vanilla", "--scheme=best");
    usageError("--servers and --server exclude each other", "--servers=2", "--server=a");
    usageError(
        "--warm is /dev/shm, but somebody else runs the servers: leave --warm or --server out",
        "--warm=/dev/shm",
        "--server=a,b,c,d,e");
    usageError("--server 'a:b': must be HOST:PORT with a port of 1 to 65535", "--server=a:b");
    usageError("--server port 0: must be 1 to 65535", "--server=a:0");
    usageError("--server '::1': write an IPv6 address as [address]:port", "--server=::1");
    usageError("server a:11211 twice, legal: each once", "--server=a,a:11211", "--scheme=vanilla");
    usageError("3 servers, legal with scheme echash (5,3): 5 or more", "--server=a,b,c");
  }

  @Test
  void bad_codes_are_usage_errors_with_value_and_range() {
    String legal = "legal: n in 3..14, k in 2..10, k < n";
    usageError("--code is '5', not two numbers such as 5,3; " + legal, "--code=5");
    usageError("--code is 'a,b', not two numbers such as 5,3; " + legal, "--code=a,b");
    usageError("--code is (2,1); " + legal, "--code=2,1");
    usageError("--code is (15,10); " + legal, "--code=15,10");
    usageError("--code is (5,5); " + legal, "--code=5,5");
    usageError(
        "--code is '5,3', but scheme vanilla has no code: leave --code or --scheme out",
        "--scheme=vanilla",
        "--code=5,3");
  }

  @Test
  void bad_stores_are_usage_errors_with_value_and_what_is_legal() {
    String on = "--store=cassandra";
    usageError("--store is 'disk', legal: cassandra, none", "--store=disk");
    usageError(
        "--store-table is 't', but there is no store: add --store=cassandra, or leave it out",
        "--store-table=t");
    usageError("--store: keyspace 'No', legal: 1 to 48 characters", on, "--store-keyspace=No");
    usageError("--store: replication factor 0, legal: 1 to 100", on, "--store-replication=0");
    usageError("--store-write is 'later', legal: through, behind", on, "--store-write=later");
    usageError("--store-read-level is 'most', legal: [ANY, ONE", on, "--store-read-level=most");
    usageError("--store: read consistency level ANY, legal: [ONE", on, "--store-read-level=any");
    usageError(
        "--store-contact: contact point 'a:0': the port must be 1 to 65535",
        on,
        "--store-contact=a:0");
  }

  @Test
  void bad_ways_of_a_full_tier_are_usage_errors_with_value_and_what_is_legal() {
    usageError("--when-full is 'forget', legal: evict, refuse", "--when-full=forget");
    usageError(
        "--when-full is 'evict', but with scheme vanilla the servers decide: leave it out",
        "--when-full=evict",
        "--scheme=vanilla");
  }

  @Test
  void a_home_whose_path_no_socket_can_have_is_refused() {
    Path home = directory.resolve("x".repeat(100));
    assertThat(run("up", "--home=" + home)).isEqualTo(2);
    assertThat(err.toString())
        .contains(home.resolve("cache.control") + " has ", "legal for a socket's path: up to 100");
    assertThat(home).doesNotExist();
  }

  @Test
  void metadata_that_a_new_tier_cannot_use_are_kept_and_told() throws IOException {
    Path metadata = Files.createDirectories(directory.resolve("home/cache-metadata"));
    Files.writeString(metadata.resolve("scheme"), "echash (3,2) records 2\n");

    precondition(
        metadata
            + " has the metadata of objects on servers that somebody else runs: go on with"
            + " --server, or delete the directory");
    precondition(
        metadata + " has the metadata of a tier with scheme echash (3,2), not echash (4,2)",
        "--code=4,2",
        "--server=a:1,b:1,c:1,d:1");
    precondition(
        metadata + " has the metadata of a tier with scheme echash (3,2), not vanilla",
        "--scheme=vanilla",
        "--server=a:1");
    assertThat(metadata.resolve("scheme")).exists();
  }

  @Test
  void servers_change_only_in_a_tier_with_a_code_that_runs() throws IOException {
    Path none = directory.resolve("none");
    for (List<String> command :
        List.of(
            List.of("add-server"), List.of("remove-server", "11212"), List.of("cancel-change"))) {
      List<String> arguments = new ArrayList<>(command);
      arguments.add("--home=" + none);
      assertThat(run(arguments.toArray(String[]::new))).isEqualTo(3);
      assertThat(err.toString()).contains("no memory tier under " + none, "cache up");
    }
    assertThat(none).doesNotExist();
    assertThat(run("add-server", "--count=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--count is 0, not in 1..256");
    assertThat(run("add-server", "--count=1", "--server=a")).isEqualTo(2);
    assertThat(err.toString()).contains("--count and --server exclude each other");
    assertThat(run("remove-server")).isEqualTo(2);
    assertThat(err.toString()).contains("Missing required parameter: 'HOST:PORT'");

    String home = "--home=" + recorded("vanilla");
    assertThat(run("add-server", home)).isEqualTo(3);
    assertThat(err.toString())
        .contains("has scheme vanilla, whose servers cannot be changed while it runs");
    home = "--home=" + recorded("echash");
    assertThat(run("remove-server", "11212", home)).isEqualTo(3);
    assertThat(err.toString()).contains("does not run; start it again with: counterpart cache up");
  }

  /** The record of a tier without running processes. */
  private Path recorded(String scheme) throws IOException {
    Path home = Files.createDirectories(directory.resolve(scheme));
    Files.writeString(
        home.resolve("cache.json"),
        "{\"options\": {\"--scheme\": \"%s\"}, \"servers\": [], \"proxies\": []}"
            .formatted(scheme));
    return home;
  }

  @Test
  void an_address_that_is_not_this_machines_is_refused() {
    usageError(
        "--listen is '192.0.2.1', not an address of this machine such as 127.0.0.1",
        "--listen=192.0.2.1");
    usageError("--listen is '', not an address of this machine", "--listen=");
    usageError(
        "--metrics-listen is '192.0.2.1', not an address of this machine",
        "--metrics-listen=192.0.2.1");
  }

  @Test
  void others_than_loopback_need_tls_and_passwords() throws IOException {
    String users = Files.writeString(directory.resolve("users"), "ann:one\n").toString();
    String message =
        "--listen is '0.0.0.0', which is not loopback: add --tls-certificate, --tls-key and --auth,"
            + " or listen on 127.0.0.1";

    usageError(message, "--listen=0.0.0.0");
    usageError(message, "--listen=0.0.0.0", "--auth=" + users);
    usageError(message, "--listen=0.0.0.0", "--tls-certificate=c", "--tls-key=k");
    usageError("--tls-certificate and --tls-key need each other", "--tls-key=k");
    // nothing but the files is wrong
    precondition(
        "TLS: c cannot be read",
        "--listen=0.0.0.0",
        "--tls-certificate=c",
        "--tls-key=k",
        "--auth=" + users);
  }

  @Test
  void files_that_are_missing_or_malformed_are_told() throws IOException {
    Path users = Files.writeString(directory.resolve("users"), "ann:one\nbob\n");
    Path none = directory.resolve("none");

    precondition("--auth: " + none + " cannot be read", "--auth=" + none);
    precondition(
        "--auth: line 2 of %s; legal: user:password, each of 1 to 250 bytes without a space"
            .formatted(users),
        "--auth=" + users);
    precondition(
        "TLS: " + none + " cannot be read; needed: a certificate in PEM",
        "--tls-certificate=" + none,
        "--tls-key=" + users);
  }

  @Test
  void a_server_that_does_not_answer_and_a_port_in_use_are_told_before_anything_starts()
      throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(taken.getLocalPort());
      precondition(
          "in use: 127.0.0.1:" + port + " (clients)",
          "--scheme=vanilla",
          "--server=127.0.0.1:1",
          "--port=" + port,
          "--metrics-port=0");
      assertThat(err.toString())
          .contains("servers: 127.0.0.1:1 does not answer (Connection refused)");
    }
    assertThat(directory.resolve("home/cache.json")).doesNotExist();
  }

  @Test
  void there_is_nothing_to_show_or_to_stop() {
    Path none = directory.resolve("none");
    assertThat(run("status", "--home=" + none)).isEqualTo(3);
    assertThat(err.toString()).contains("no memory tier under " + none, "cache up");
    assertThat(run("down", "--home=" + none, "--json")).isZero();
    assertThat(out.toString()).contains("\"stopped\" : 0");
    assertThat(none).doesNotExist();
  }

  @Test
  void the_proxy_alone_needs_servers() {
    assertThat(run("proxy")).isEqualTo(2);
    assertThat(err.toString()).contains("--server is missing: at least one HOST[:PORT]");
    assertThat(run("proxy", "--server=a", "--scheme=best")).isEqualTo(2);
    assertThat(err.toString()).contains("legal: echash, vanilla");
    assertThat(run("proxy", "--server=a")).isEqualTo(2);
    assertThat(err.toString()).contains("--metadata is missing, but scheme echash keeps metadata");
    assertThat(run("proxy", "--server=a", "--scheme=vanilla", "--metadata=m")).isEqualTo(2);
    assertThat(err.toString()).contains("--metadata is 'm', but scheme vanilla has no metadata");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --shards=0                           | --shards is 0, not in 1..16
          --shards=17                          | --shards is 17, not in 1..16
          --shards=2 --scheme=vanilla          | --shards is 2, not 1, as scheme vanilla needs
          --shards=2 --servers=9               | --servers is 9, not in 10..256 with code (5,3) and 2
          --shards=2 --server=a,b,c,d,e        | with scheme echash (5,3) shards 2: 10 or more
          --shards=2 --port=65526              | --port is 65526, not in 1025..65525
          --shards=2 --heap=255                | --heap is 255, not in 256..32768 with 2 shards
          --shards=2 --request-memory=63       | --request-memory is 63, not in 64..112
          --shards=2 --client-memory=17        | --client-memory is 17, not in 1..16
          """)
  void shards_that_cannot_be_are_usage_errors(String options, String message) {
    usageError(message, options.split(" "));
  }

  @Test
  void a_proxy_of_several_shards_is_checked_before_anything_is_touched() {
    Path metadata = directory.resolve("metadata");
    String servers = "--server=a,b,c,d,e,f";
    List<String> proxy = List.of("proxy", "--code=3,2", "--shards=2", "--metadata=" + metadata);

    assertThat(run(and(proxy, "--server=a,b,c"))).isEqualTo(2);
    assertThat(err.toString()).contains("3 servers, legal with scheme echash (3,2) shards 2: 6 or");
    String peers = "--peers=127.0.0.1:7001,127.0.0.1:7002";
    assertThat(run(and(proxy, servers, peers, "--peer-listen=127.0.0.1:7001"))).isEqualTo(2);
    assertThat(err.toString())
        .contains("peers 127.0.0.1:7001 and 127.0.0.1:7002 with 2 shards, legal on one host:");
    assertThat(run(and(proxy, servers, "--request-memory=63"))).isEqualTo(2);
    assertThat(err.toString()).contains("--request-memory is 63, not in 64..");
    assertThat(metadata).doesNotExist();
  }

  private static String[] and(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void a_tier_keeps_its_number_of_shards_and_its_proxy_is_told() {
    TierHome home = new TierHome();
    new CommandLine(home).parseArgs("--home=" + directory);
    TierOptions options = parsed("--shards=2", "--code=3,2");

    TierOptions again = TierOptions.parse(options.values(), directory);

    assertThat(again.values()).isEqualTo(options.values()).containsEntry("--shards", "2");
    assertThat(again.proxy().shards()).isEqualTo(2);
    assertThat(again.proxy().keeping(directory)).hasToString("echash (3,2) shards 2");
    assertThat(command(again, again.serverPorts(), home)).contains("--shards=2", "-Xmx256m");
    assertThat(parsed("--shards=1").values())
        .isEqualTo(parsed().values())
        .doesNotContainKey("--shards");
    assertThat(TierOptions.NAMES).contains("--shards");
    assertThat(TierOptions.value(parsed().values(), "--shards")).isEqualTo("1");
    assertThat(TierOptions.value(parsed().values(), "--auth")).isNull();
  }

  @Test
  void metadata_of_another_number_of_shards_are_kept_and_told() throws IOException {
    Path metadata = Files.createDirectories(directory.resolve("home/cache-metadata"));
    Files.writeString(metadata.resolve("scheme"), "echash (3,2) shards 2 records 2\n");

    precondition(
        metadata
            + " has the metadata of a tier with scheme echash (3,2) shards 2, not echash (3,2)",
        "--code=3,2",
        "--server=a:1,b:1,c:1,d:1,e:1,f:1");
    assertThat(metadata.resolve("scheme")).exists();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --peer-listen=127.0.0.1:1 | --peer-listen is given without --peers
          --metadata-copies=2 | --metadata-copies is given without --peers
          --peers=127.0.0.1:1 | --peer-listen is missing, legal: one of --peers, [127.0.0.1:1]
          --peers=127.0.0.1:1 --peer-listen=127.0.0.1:2 | --peer-listen is '127.0.0.1:2', legal
          --peers=127.0.0.1:x --peer-listen=127.0.0.1:1 | --peers: server '127.0.0.1:x': must be
          --peers=127.0.0.1:1,127.0.0.1:1 --peer-listen=127.0.0.1:1 | legal: each once
          --peers=127.0.0.1:1 --peer-listen=127.0.0.1:1 --metadata-copies=2 | not in 1..1
          --peers=10.0.0.1:1 --peer-listen=10.0.0.1:1 | 10.0.0.1 is not loopback, legal: with TLS
          --peers=127.0.0.1:1 --peer-listen=127.0.0.1:1 --scheme=vanilla | leave it out
          """)
  void peers_are_checked_before_anything_is_touched(String options, String message) {
    Path metadata = directory.resolve("metadata");
    List<String> arguments = new ArrayList<>(List.of("proxy", "--server=a,b,c,d,e"));
    arguments.addAll(List.of(options.split(" ")));
    if (!options.contains("vanilla")) {
      arguments.add("--metadata=" + metadata);
    }

    assertThat(run(arguments.toArray(String[]::new))).isEqualTo(2);

    assertThat(err.toString()).contains(message);
    assertThat(metadata).doesNotExist();
  }

  @Test
  void options_are_kept_in_a_form_that_makes_the_same_tier_again() {
    TierOptions options =
        parsed("--port=12000", "--servers=6", "--memory=8", "--auth=users", "--heap=64");
    Map<String, String> values = options.values();

    TierOptions again = TierOptions.parse(values, directory);

    assertThat(again.values())
        .isEqualTo(values)
        .containsEntry("--code", "5,3")
        .containsEntry("--metrics-port", "11999");
    assertThat(again.serverPorts()).containsExactly(12_001, 12_002, 12_003, 12_004, 12_005, 12_006);
    assertThat(again.spec()).isEqualTo(options.spec());
    assertThat(again.spec().evicting()).isFalse();
    assertThat(values.get("--auth")).isEqualTo(Path.of("users").toAbsolutePath().toString());
    assertThat(again.proxy().metricsUrl(0)).isEqualTo("http://127.0.0.1:11999/metrics");
  }

  @Test
  void a_tier_has_as_many_servers_as_its_code_wants_if_nobody_says_more() {
    assertThat(parsed().serverPorts()).hasSize(5);
    assertThat(parsed("--code=14,10").serverPorts()).hasSize(14);
    assertThat(parsed("--scheme=vanilla").serverPorts()).hasSize(3);
    assertThat(parsed("--scheme=vanilla").values()).doesNotContainKey("--code");
    assertThat(parsed("--scheme=vanilla").spec().evicting()).isTrue();
  }

  @Test
  void options_of_a_tier_whose_servers_have_changed_are_understood() {
    Map<String, String> values =
        new LinkedHashMap<>(parsed("--servers=5", "--metrics-port=11217").values());
    values.put("--servers", "9");

    TierOptions again = TierOptions.parse(values, directory);

    Tier tier = Tier.planned(directory, values, List.of(11_213, 11_300));
    assertThat(again.allServers(tier))
        .containsExactly(TierOptions.address(11_213), TierOptions.address(11_300));
  }

  @Test
  void the_proxy_is_told_all_of_its_servers() {
    TierHome home = new TierHome();
    new CommandLine(home).parseArgs("--home=" + directory);
    TierOptions others = parsed("--server=b:2,a", "--server=[::1]:3", "--code=3,2");
    TierOptions own = parsed("--scheme=vanilla");

    assertThat(command(others, List.of(), home))
        .containsSubsequence("io.counterpart.cli.Main", "cache", "proxy", "--scheme=echash")
        .contains("--server=b:2,a:11211,[::1]:3", "--code=3,2", "-Xmx256m")
        .contains("--metadata=" + directory.resolve("cache-metadata"))
        .contains("--control=" + directory.resolve("cache.control"));
    assertThat(others.serverPorts()).isEmpty();
    assertThat(command(own, List.of(12_001, 12_005), home))
        .contains("--server=127.0.0.1:12001,127.0.0.1:12005")
        .noneMatch(argument -> argument.startsWith("--metadata"));
  }

  @Test
  void each_of_several_proxies_has_ports_and_a_socket_of_its_own() {
    TierHome home = new TierHome();
    new CommandLine(home).parseArgs("--home=" + directory);
    TierOptions options =
        TierOptions.parse(parsed("--proxies=3", "--port=12000").values(), directory);

    assertThat(options.serverPorts()).containsExactly(12_003, 12_004, 12_005, 12_006, 12_007);
    assertThat(options.proxy().reachable(2)).hasToString("127.0.0.1:12002");
    assertThat(command(options, options.serverPorts(), home, 0))
        .contains("--port=12000", "--metrics-port=11999")
        .contains("--control=" + directory.resolve("cache.control"));
    assertThat(command(options, options.serverPorts(), home, 2))
        .contains("--port=12002", "--metrics-port=11997")
        .contains("--control=" + directory.resolve("cache-3.control"))
        .contains("--metadata=" + directory.resolve("cache-metadata"));
    assertThat(command(parsed("--proxies=2", "--metrics-port=0"), List.of(), home, 1))
        .contains("--metrics-port=0");
  }

  @Test
  void numbers_of_proxies_that_cannot_be_are_refused() {
    usageError("--proxies is 0, not in 1..16", "--proxies=0");
    usageError("--proxies is 17, not in 1..16", "--proxies=17");
    usageError(
        "--metrics-port is 11212, not another port than the 7 from 11211 on, which are taken",
        "--proxies=2",
        "--metrics-port=11212");
    usageError("--metrics-port is 1024, not in 1025..65535", "--proxies=2", "--metrics-port=1024");
    usageError(
        "--proxies is 2, not 1, as scheme vanilla with a persistent store needs",
        "--proxies=2",
        "--scheme=vanilla",
        "--store=cassandra");
  }

  private List<String> command(TierOptions options, List<Integer> ports, TierHome home) {
    return command(options, ports, home, 0);
  }

  private List<String> command(TierOptions options, List<Integer> ports, TierHome home, int proxy) {
    Tier tier = Tier.planned(directory, options.values(), ports, options.proxies());
    return ProxyCommandLine.of(options, tier, home, proxy);
  }

  private static TierOptions parsed(String... arguments) {
    TierOptions options = new TierOptions();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }

  private void usageError(String message, String... options) {
    assertThat(up(options)).as(String.join(" ", options) + err).isEqualTo(2);
    assertThat(err.toString()).contains(message, "--help");
    assertThat(directory.resolve("home")).doesNotExist();
  }

  private void precondition(String message, String... options) {
    assertThat(up(options)).as(String.join(" ", options) + err).isEqualTo(3);
    assertThat(err.toString()).contains(message);
  }

  private int up(String... options) {
    List<String> arguments = new ArrayList<>(List.of("up", "--home=" + directory.resolve("home")));
    arguments.addAll(List.of(options));
    return run(arguments.toArray(String[]::new));
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new CacheCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(new ErrorReport())
        .setParameterExceptionHandler(new UsageReport())
        .setAbbreviatedOptionsAllowed(false)
        .execute(arguments);
  }
}
