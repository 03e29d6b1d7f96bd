package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPortsTest {
  private static final ServerId ONE = new ServerId("10.0.0.1:11211");
  private static final ServerId TWO = new ServerId("10.0.0.2:11211");

  @TempDir private Path directory;

  @Test
  void tells_the_connections_of_an_earlier_process() throws IOException {
    LocalPorts first = LocalPorts.read(directory, "a");
    first.add(ONE, 40_001);
    first.add(ONE, 40_002);
    first.add(TWO, 40_003);
    first.keepOnly(ONE, 40_002);

    LocalPorts next = LocalPorts.read(directory, "a");

    assertThat(next.of(ONE)).containsExactly(40_002);
    assertThat(next.of(TWO)).containsExactly(40_003);
    assertThat(next.silent(ONE)).isEmpty();
  }

  @Test
  void those_of_an_earlier_start_of_the_machine_are_silent_for_good() throws IOException {
    LocalPorts.read(directory, "a").add(ONE, 40_001);

    LocalPorts booted = LocalPorts.read(directory, "b");
    assertThat(booted.of(ONE)).isEmpty();
    assertThat(booted.silent(ONE)).containsExactly(40_001);
    booted.add(ONE, 40_002);

    LocalPorts next = LocalPorts.read(directory, "b");
    assertThat(next.of(ONE)).containsExactly(40_002);
    assertThat(next.silent(ONE)).containsExactly(40_001);
    next.keepOnly(ONE, 40_003);
    assertThat(LocalPorts.read(directory, "b").silent(ONE)).isEmpty();
  }

  @Test
  void those_that_were_reset_are_silent() throws IOException {
    LocalPorts first = LocalPorts.read(directory, "a");
    first.add(ONE, 40_001);
    first.add(ONE, 40_002);
    first.silence(ONE, Set.of(40_001, 40_003));

    LocalPorts next = LocalPorts.read(directory, "a");

    assertThat(next.of(ONE)).containsExactly(40_002);
    assertThat(next.silent(ONE)).containsExactly(40_001);
  }

  @Test
  void without_a_name_of_the_start_they_may_be_of_this_one() throws IOException {
    Files.write(directory.resolve("connections"), List.of(ONE.name() + " 40001", "damage"));
    assertThat(LocalPorts.read(directory, "b").of(ONE)).containsExactly(40_001);

    LocalPorts.read(directory, "a").add(ONE, 40_002);
    assertThat(LocalPorts.read(directory, "").of(ONE)).containsExactlyInAnyOrder(40_001, 40_002);
  }

  @Test
  void keeps_takeovers_until_they_are_over() throws IOException {
    LocalPorts first = LocalPorts.read(directory, "a");
    first.noteTakeover(ONE, true);
    first.noteTakeover(TWO, true);
    first.noteTakeover(TWO, false);

    assertThat(LocalPorts.read(directory, "b").takeovers()).containsExactly(ONE);
  }
}
