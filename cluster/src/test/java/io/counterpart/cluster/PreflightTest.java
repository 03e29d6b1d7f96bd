package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.process.PreflightException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

  @TempDir Path directory;

  @BeforeEach
  void server() throws IOException {
    Files.createFile(directory.resolve("cassandra-all-5.0.9.jar"));
  }

  @Test
  void a_port_in_use_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
      Ports ports = new Ports(taken.getLocalPort(), 17_000, 17_199);

      assertThat(Preflight.check(spec().nodes(2).ports(ports).build()))
          .filteredOn(check -> check.name().equals("ports"))
          .singleElement()
          .satisfies(
              check -> {
                assertThat(check.passed()).isFalse();
                assertThat(check.found()).contains("127.0.0.2:" + taken.getLocalPort() + " (CQL)");
              });
    }
  }

  @Test
  void everything_missing_is_told_at_once_with_what_is_needed() {
    ClusterSpec spec =
        spec()
            .nodes(32)
            .heapMegabytes(32_768)
            .serverLib(directory.resolve("absent"))
            .pluginJar(directory.resolve("absent.jar"))
            .build();

    assertThatThrownBy(() -> Preflight.require(spec))
        .isInstanceOf(PreflightException.class)
        .hasMessageContaining("server jars: " + directory.resolve("absent"))
        .hasMessageContaining("plugin jar: " + directory.resolve("absent.jar"))
        .hasMessageContaining("MiB for 32 nodes of 32768 MB heap");
  }

  @Test
  void a_disk_that_will_not_hold_the_data_is_told_with_what_is_needed_and_free() {
    ClusterSpec spec = spec().nodes(3).build();
    long free = directory.toFile().getUsableSpace();

    assertThat(Preflight.requireDisk(spec, 0).passed()).isTrue();
    assertThatThrownBy(() -> Preflight.requireDisk(spec, free))
        .isInstanceOf(PreflightException.class)
        .hasMessageMatching(
            "cannot start: disk: \\d+ MiB free and writable=true at .*, needed: %d MiB, \\d+ MiB of it for the data"
                .formatted((free + (3L << 30)) >> 20));
  }

  private ClusterSpec.Builder spec() {
    return ClusterSpec.builder(directory.resolve("home"))
        .serverLib(directory)
        .ports(new Ports(19_042, 17_000, 17_199));
  }
}
