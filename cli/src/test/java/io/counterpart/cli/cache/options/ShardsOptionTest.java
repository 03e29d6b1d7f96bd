package io.counterpart.cli.cache.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.proxy.MemoryLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a number of shards decides. */
class ShardsOptionTest {
  @Test
  void each_shard_has_its_servers_and_its_part_of_the_heap() {
    TierOptions two = parsed("--shards=2");
    TierOptions sixteen = parsed("--shards=16", "--code=14,10");

    assertThat(two.serverPorts()).hasSize(10);
    assertThat(two.heapMegabytes()).isEqualTo(256);
    assertThat(sixteen.serverPorts()).hasSize(224);
    assertThat(sixteen.heapMegabytes()).isEqualTo(2048);
    for (TierOptions options : List.of(parsed(), two, parsed("--shards=3"), sixteen)) {
      assertThatCode(options::check).doesNotThrowAnyException();
    }
    assertThat(parsed("--shards=2", "--server=a,b").serverPorts()).isEmpty();
    assertThat(parsed("--shards=4", "--heap=4096").heapMegabytes()).isEqualTo(4096);
  }

  /** The memory of the command's own JVM does not matter. */
  @Test
  void requests_have_what_several_shards_need_or_more() {
    assertThat(memory(1, 256).totalBytes()).isEqualTo(64L << 20);
    assertThat(memory(2, 248).totalBytes()).isEqualTo(64L << 20);
    assertThat(memory(2, 1024).totalBytes()).isEqualTo(256L << 20);
    assertThat(memory(16, 1984).totalBytes()).isEqualTo(512L << 20);
    assertThatThrownBy(() -> memory(16, 1000))
        .hasMessage("--shards is 16, not in 1..15 with a heap of 1000 MiB for the proxy");
  }

  private static MemoryLimits memory(int shards, int jvmMebibytes) {
    return parsed("--shards=" + shards)
        .proxy()
        .service(
            IntStream.rangeClosed(1, 5 * shards).mapToObj(TierOptions::address).toList(),
            Path.of("metadata"),
            null,
            Path.of("log"),
            (long) jvmMebibytes << 20)
        .memory();
  }

  private static TierOptions parsed(String... arguments) {
    TierOptions options = new TierOptions();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }
}
