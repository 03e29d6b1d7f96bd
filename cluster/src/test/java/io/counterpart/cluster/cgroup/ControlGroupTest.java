package io.counterpart.cluster.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.process.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {
  @TempDir Path directory;

  @Test
  void version_1_writes_each_controllers_own_files() throws IOException {
    Path memory = Files.createDirectory(directory.resolve("memory"));
    Path blockIo = Files.createDirectory(directory.resolve("blkio"));
    ControlGroup group = ControlGroup.perController(memory, blockIo);
    Files.writeString(memory.resolve("memory.stat"), "cache 1\ntotal_cache 700\ntotal_rss 42\n");
    Files.writeString(memory.resolve("memory.usage_in_bytes"), "742\n");

    group.add(17);
    group.limitMemory(1_000);
    group.limitReads(new Disk("8:0"), 150);

    assertThat(memory.resolve("cgroup.procs")).hasContent("17");
    assertThat(blockIo.resolve("cgroup.procs")).hasContent("17");
    assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("1000");
    assertThat(blockIo.resolve("blkio.throttle.read_iops_device")).hasContent("8:0 150");
    assertThat(group.residentBytes()).isEqualTo(42);
    assertThat(group.cacheBytes()).isEqualTo(700);
    group.limitMemory(0);
    assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("-1");
    group.dropCache();
    assertThat(memory.resolve("memory.force_empty")).hasContent("0");
  }

  @Test
  void version_2_writes_one_directory() throws IOException {
    ControlGroup group = ControlGroup.unified(directory);
    Files.writeString(directory.resolve("memory.stat"), "anon 42\nfile 700\n");
    Files.writeString(directory.resolve("memory.current"), "742\n");

    group.add(17);
    group.limitMemory(1_000);
    group.limitReads(new Disk("8:0"), 150);

    assertThat(directory.resolve("cgroup.procs")).hasContent("17");
    assertThat(directory.resolve("memory.max")).hasContent("1000");
    assertThat(directory.resolve("io.max")).hasContent("8:0 riops=150");
    assertThat(group.residentBytes()).isEqualTo(42);
    assertThat(group.cacheBytes()).isEqualTo(700);
    group.dropCache();
    assertThat(directory.resolve("memory.high")).hasContent("max");
    group.limitReads(new Disk("8:0"), 0);
    assertThat(directory.resolve("io.max")).hasContent("8:0 riops=max");
  }

  @Test
  void processes_leave_a_group_that_is_closed() throws IOException {
    Path group = Files.createDirectory(directory.resolve("group"));
    ControlGroup closing = ControlGroup.unified(group);
    closing.add(17);

    closing.close();

    assertThat(directory.resolve("cgroup.procs")).hasContent("17");
  }

  @Test
  void a_statistic_that_is_missing_is_no_zero() throws IOException {
    Files.writeString(directory.resolve("memory.stat"), "anon 42\n");

    assertThatThrownBy(ControlGroup.unified(directory)::cacheBytes)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file");
  }

  @Test
  void a_machine_that_forbids_them_has_none() {
    assertThat(ControlGroups.writable(directory.resolve("absent"))).isEqualTo(Optional.empty());
  }
}
