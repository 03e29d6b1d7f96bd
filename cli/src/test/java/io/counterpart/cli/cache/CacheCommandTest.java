package io.counterpart.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cli.console.ErrorReport;
import io.counterpart.cli.console.UsageReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the commands refuse, before anything is started or written. */
class CacheCommandTest {

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bad_values_are_usage_errors_with_value_and_range() {
    usageError("--servers is 0, not in 1..256", "--servers=0");
    usageError("--servers is 257, not in 1..256", "--servers=257");
    usageError("Invalid value for option '--servers'", "--servers=many");
    usageError("--memory: memory megabytes are 3, not in 4..1048576", "--memory=3");
    usageError("--heap is 63, not in 64..32768", "--heap=63");
    usageError("--port is 1024, not in 1025..65532", "--port=1024");
    usageError("--port is 65533, not in 1025..65532", "--port=65533");
    usageError("--port is 65531, not in 1025..65530", "--port=65531", "--servers=5");
    usageError("--metrics-port is 80, not in 1024..65535", "--metrics-port=80");
    usageError(
        "--metrics-port is 11213, not another port than the 4 from 11211 on, which are taken",
        "--metrics-port=11213");
    usageError("--scheme is 'best', legal: vanilla", "--scheme=best");
    usageError("--servers and --server exclude each other", "--servers=2", "--server=a");
    usageError("--server 'a:b': must be HOST:PORT with a port of 1 to 65535", "--server=a:b");
    usageError("--server port 0: must be 1 to 65535", "--server=a:0");
    usageError("--server '::1': write an IPv6 address as [address]:port", "--server=::1");
    usageError("server a:11211 twice, legal: each once", "--server=a,a:11211");
    usageError("Unknown option: '--code=5,3'", "--code=5,3");
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
    assertThat(err.toString()).contains("legal: vanilla");
  }

  @Test
  void options_are_kept_in_a_form_that_makes_the_same_tier_again() {
    TierOptions options = new TierOptions();
    new CommandLine(options)
        .parseArgs("--port=12000", "--servers=2", "--memory=8", "--auth=users", "--heap=64");
    Map<String, String> values = options.values();

    TierOptions again = TierOptions.parse(values, directory);

    assertThat(again.values()).isEqualTo(values).containsEntry("--metrics-port", "11999");
    assertThat(again.serverPorts()).containsExactly(12_001, 12_002);
    assertThat(again.allServers()).hasSize(2);
    assertThat(again.spec()).isEqualTo(options.spec());
    assertThat(values.get("--auth")).isEqualTo(Path.of("users").toAbsolutePath().toString());
    assertThat(again.proxy().metricsUrl()).isEqualTo("http://127.0.0.1:11999/metrics");
  }

  @Test
  void the_proxy_is_told_all_of_its_servers() {
    TierOptions options = new TierOptions();
    new CommandLine(options).parseArgs("--server=b:2,a", "--server=[::1]:3", "--metrics-port=0");

    assertThat(ProxyCommandLine.of(options))
        .containsSubsequence("io.counterpart.cli.Main", "cache", "proxy", "--scheme=vanilla")
        .contains("--server=b:2,a:11211,[::1]:3", "--metrics-port=0", "-Xmx256m");
    assertThat(options.serverPorts()).isEmpty();
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
