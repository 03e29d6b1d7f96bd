package io.counterpart.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemcachedSpecTest {

  private static final MemcachedProgram PROGRAM =
      new MemcachedProgram(Path.of("/usr/bin/memcached"));

  @Test
  void the_tier_has_one_thread_on_loopback_and_never_evicts() {
    List<String> command = MemcachedSpec.forTier(64).command(PROGRAM, 21_000);

    assertThat(String.join(" ", command))
        .isEqualTo(
            "/usr/bin/memcached -l 127.0.0.1 -p 21000 -U 0 -t 1 -m 64 -I 2097152 -u %s -M"
                    .formatted(System.getProperty("user.name"))
                + " -o slab_automove_window=5");
  }

  @Test
  void eviction_and_options_are_as_asked_for() {
    MemcachedSpec spec =
        new MemcachedSpec("memcached", 64, true, 1 << 20, List.of("hashpower=20", "no_modern"));

    assertThat(spec.command(PROGRAM, 21_000))
        .doesNotContain("-M")
        .endsWith("-o", "hashpower=20,no_modern");
    assertThat(new MemcachedSpec("memcached", 64, true, 1 << 20, List.of()).command(PROGRAM, 1))
        .doesNotContain("-o");
  }

  @Test
  void items_are_kept_in_a_file_for_each_port() {
    MemcachedSpec spec = MemcachedSpec.forTier(64).with(new ItemFiles(Path.of("/dev/shm/tier")));

    assertThat(String.join(" ", spec.command(PROGRAM, 21_000)))
        .contains(" -M -e /dev/shm/tier/memcached-21000 -o ");
    assertThatThrownBy(() -> MemcachedSpec.forTier(63).with(new ItemFiles(Path.of("/dev/shm"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("memory megabytes are 63, not in 64..1048576");
  }

  @Test
  void bad_values_are_refused_with_value_and_legal_range() {
    refused("memory megabytes are 3, not in 4..1048576", 3, 1 << 20, "a=1");
    refused("memory megabytes are 1048577, not in 4..1048576", 1_048_577, 1 << 20, "a=1");
    refused("largest item's bytes are 1023, not in 1024..33554432", 64, 1023, "a=1");
    refused("largest item's bytes are 2097153, not in 1024..2097152", 4, 2_097_153, "a=1");
    refused("memcached option is '-l', not a name or name=value", 64, 1 << 20, "-l");
    refused("memcached option is 'a=1,b=2'", 64, 1 << 20, "a=1,b=2");
    assertThatThrownBy(() -> new MemcachedSpec(" ", 64, true, 1 << 20, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("program is blank");
  }

  private static void refused(String message, int megabytes, int itemBytes, String option) {
    assertThatThrownBy(
            () -> new MemcachedSpec("memcached", megabytes, true, itemBytes, List.of(option)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
