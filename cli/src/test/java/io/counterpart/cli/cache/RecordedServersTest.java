package io.counterpart.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Which servers are stopped, since no ring has them. */
class RecordedServersTest {
  private static final CodedReport OBJECTS =
      new CodedReport(
          3, 2, "java", 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  @TempDir Path directory;

  private final TierHome home = new TierHome();
  private final List<Integer> ports = IntStream.rangeClosed(12_001, 12_007).boxed().toList();

  /** Of two shards of three servers, and one more. */
  private Tier tier() {
    new CommandLine(home).parseArgs("--home=" + directory);
    TierOptions options = new TierOptions();
    new CommandLine(options).parseArgs("--shards=2", "--code=3,2", "--servers=7");
    return Tier.planned(directory, options.values(), ports);
  }

  @Test
  void a_server_that_no_shard_has_is_stopped_and_forgotten() {
    Tier tier = tier();
    List<ServerReport> servers =
        ports.subList(0, 6).stream().map(port -> server(port, (port - 12_001) / 3)).toList();

    assertThat(RecordedServers.settle(tier, home, report(servers)))
        .singleElement()
        .asString()
        .contains("no ring has it", "12007");

    assertThat(recorded(tier)).isEqualTo(ports.subList(0, 6));
  }

  @Test
  void servers_of_a_shard_that_is_not_told_stay() {
    Tier tier = tier();
    List<ServerReport> servers = ports.subList(0, 3).stream().map(port -> server(port, 0)).toList();

    assertThat(RecordedServers.settle(tier, home, report(servers)))
        .singleElement()
        .asString()
        .contains("the servers of a shard are not told");

    assertThat(recorded(tier)).isEqualTo(ports);
  }

  @Test
  void a_tier_that_begins_anew_forgets_what_its_servers_have_kept() throws IOException {
    TierOptions options = warm();
    Path items = Files.writeString(directory.resolve("memcached-12001"), "of before");
    Path notes = Files.writeString(directory.resolve("memcached-12001.meta"), "of a stop");

    RecordedServers.forgetKept(Tier.planned(directory, options.values(), ports), options);

    assertThat(items).doesNotExist();
    assertThat(notes).doesNotExist();
  }

  @Test
  void with_a_tier_what_its_servers_have_kept_is_forgotten() throws IOException {
    new CommandLine(home).parseArgs("--home=" + directory);
    Path items = Files.writeString(directory.resolve("memcached-12001"), "of before");

    RecordedServers.stop(Tier.planned(directory, warm().values(), ports), home);

    assertThat(items).doesNotExist();
  }

  private TierOptions warm() {
    TierOptions options = new TierOptions();
    new CommandLine(options).parseArgs("--scheme=vanilla", "--servers=7", "--warm=" + directory);
    return options;
  }

  private static List<Integer> recorded(Tier tier) {
    return tier.servers().stream().map(TierServer::port).toList();
  }

  private static TierReport report(List<ServerReport> servers) {
    return new TierReport("echash (3,2) shards 2", servers, OBJECTS, null);
  }

  private static ServerReport server(int port, int shard) {
    return new ServerReport(TierOptions.address(port).toString(), port % 3, "up", 0, shard);
  }
}
