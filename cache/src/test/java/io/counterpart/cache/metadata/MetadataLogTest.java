package io.counterpart.cache.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.ring.ServerId;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataLogTest {
  private static final MetadataOptions OPTIONS = MetadataOptions.of(3);

  @TempDir Path directory;

  @Test
  void gives_keys_in_order_by_column_chunk_and_stripe() throws IOException {
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      int slotClass = SlotClasses.of(1_048);
      assertThat(SlotClasses.slotsPerChunk(slotClass)).isEqualTo(3);
      int stripe = log.openStripe(slotClass, 0b10110, 0);
      log.assign(stripe, 0, 1, key("a"));
      log.assign(stripe, 2, 1, key("b"));
      log.assign(stripe, 2, 0, key("c"));

      assertThat(log.chunks().key(stripe, 0, 1)).isEqualTo(key("a"));
      assertThat(log.chunks().key(stripe, 1, 1)).isNull();
      assertThat(log.chunks().key(stripe, 2, 1)).isEqualTo(key("b"));
      assertThat(log.chunks().key(stripe, 2, 0)).isEqualTo(key("c"));
      assertThat(log.chunks().key(stripe, 2, 2)).isNull();
      assertThat(log.chunks().key(stripe, 0, 0)).isNull();
      assertThat(log.stripes().live(stripe)).isEqualTo(3);
      StringBuilder order = new StringBuilder();
      log.chunks().forEach((s, chunk, slot, key) -> order.append(chunk).append(slot).append(' '));
      assertThat(order).hasToString("01 20 21 ");
    }
  }

  @Test
  void costs_no_heap_and_9_bytes_of_mapped_memory_an_object() throws IOException {
    int objects = 300_000;
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      long heapBefore = heapUsed();
      int stripe = 0;
      int slots = SlotClasses.slotsPerChunk(SlotClasses.of(88));
      for (int i = 0; i < objects; i++) {
        int within = i % (3 * slots);
        if (within == 0) {
          stripe = log.openStripe(SlotClasses.of(88), 7, 0);
        }
        log.assign(stripe, within / slots, within % slots, key("object-" + i));
      }
      log.sync();
      long heap = heapUsed() - heapBefore;

      assertThat((double) heap / objects).isLessThan(2);
      // whole mebibytes in two files
      assertThat(log.chunks().mappedBytes() - (2 << 20)).isLessThan(objects * 8L + objects / 8);
      assertThat(log.chunks().key(0, 0, 0)).isEqualTo(key("object-0"));
      assertThat(log.chunks().size()).isEqualTo(objects);
    }
  }

  /** What the collection left: threads have taken memory to allocate in since. */
  private static long heapUsed() {
    System.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  @Test
  void shrinks_to_what_is_alive_at_a_checkpoint() throws IOException {
    MetadataOptions small = new MetadataOptions(3, 64 << 10);
    try (MetadataLog log = MetadataLog.open(directory, small)) {
      int stripe = log.openStripe(0, 7, 0);
      assertThat(log.checkpointDue()).isFalse();
      while (!log.checkpointDue()) {
        log.assign(stripe, 0, 0, key("here"));
        log.free(stripe, 0, 0);
      }
      log.assign(stripe, 0, 0, key("stays"));
      for (int i = 0; i < 40_000; i++) {
        log.assign(stripe, 1, 1, key("here and gone"));
        log.free(stripe, 1, 1);
      }
      assertThat(LogCopy.segments(directory)).hasSizeGreaterThan(20);

      MetadataModel.checkpoint(log);

      assertThat(log.checkpointDue()).isFalse();
      assertThat(LogCopy.segments(directory)).hasSize(2);
      assertThat(log.chunks().key(stripe, 0, 0)).isEqualTo(key("stays"));
    }
    try (MetadataLog log = MetadataLog.open(directory, small)) {
      assertThat(log.chunks().key(0, 0, 0)).isEqualTo(key("stays"));
      assertThat(log.chunks().size()).isEqualTo(1);
    }
  }

  @Test
  void keeps_epoch_and_topology() throws IOException {
    List<List<ServerId>> servers =
        List.of(List.of(new ServerId("h:1"), new ServerId("h:2")), List.of(new ServerId("h:3")));
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      log.setEpoch(77);
      log.setTopology(new Topology(4, servers, 2));
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(log.epoch()).isEqualTo(77);
      assertThat(log.topology()).contains(new Topology(4, servers, 2));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.setEpoch(77))
          .withMessage("epoch 77, legal: 78 to 16777215");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.setTopology(new Topology(3, servers, 0)))
          .withMessage("version 3 of the rings, legal: from 4");
    }
  }

  @Test
  void cuts_off_a_torn_end() throws IOException {
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      log.openStripe(0, 7, 0);
    }
    Path file = LogCopy.lastSegment(directory);
    byte[] whole = Files.readAllBytes(file);
    byte[] torn = Arrays.copyOf(whole, whole.length + 5);
    torn[whole.length] = 1;
    Files.write(file, torn);

    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      // the mark of the sync at the start is in the place of the torn end
      assertThat(Files.readAllBytes(file)).startsWith(whole).hasSize(whole.length + 16);
      assertThat(log.stripes().size()).isEqualTo(1);
      log.openStripe(0, 7, 0);
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(log.stripes().size()).isEqualTo(2);
    }
  }

  @Test
  void names_a_missing_file() throws IOException {
    MetadataOptions small = new MetadataOptions(3, 4 << 10);
    try (MetadataLog log = MetadataLog.open(directory, small)) {
      for (int i = 0; i < 1_000; i++) {
        log.openStripe(0, 7, 0);
      }
    }
    Path second = LogCopy.segments(directory).get(1);
    Files.delete(second);

    assertThatThrownBy(() -> MetadataLog.open(directory, small))
        .isInstanceOf(DamagedLogException.class)
        .hasMessage(second + " is damaged at byte 0: the file is missing");
  }

  @Test
  void refuses_a_damaged_start() throws IOException {
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      MetadataModel.checkpoint(log);
    }
    LogCopy.flip(directory.resolve("start"), 0);

    assertThatThrownBy(() -> MetadataLog.open(directory, OPTIONS))
        .isInstanceOf(DamagedLogException.class)
        .hasMessage(directory.resolve("start") + " is damaged at byte 0: no number of a segment");
  }

  @Test
  void does_not_serve_a_key_from_a_damaged_record() throws IOException {
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      int stripe = log.openStripe(0, 7, 0);
      log.assign(stripe, 0, 0, key("abc"));
      log.sync();
      LogCopy.flip(LogCopy.lastSegment(directory), LogFileHeader.BYTES + 29 + 15);

      assertThatThrownBy(() -> log.chunks().key(stripe, 0, 0))
          .isInstanceOf(DamagedLogException.class)
          .hasMessageContaining("at byte " + (LogFileHeader.BYTES + 29));
    }
  }

  @Test
  void refuses_what_the_state_forbids_and_writes_nothing() throws IOException {
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      int stripe = log.openStripe(SlotClasses.of(4_000), 7, 0);
      log.assign(stripe, 0, 0, key("a"));
      log.sync();
      long bytes = Files.size(LogCopy.lastSegment(directory));

      assertThatIllegalStateException()
          .isThrownBy(() -> log.assign(stripe, 0, 0, key("b")))
          .withMessage("slot 0 of chunk 0 of stripe 0 has a key, legal: none");
      assertThatIllegalStateException()
          .isThrownBy(() -> log.free(stripe, 1, 0))
          .withMessage("slot 0 of chunk 1 of stripe 0 has no key to free");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.assign(stripe, 0, 1, key("b")))
          .withMessage("slot 1 of stripe 0, legal: 0 to 0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.assign(stripe, 3, 0, key("b")))
          .withMessage("chunk 3 of stripe 0, legal: 0 to 2");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.assign(stripe, 1, 0, new byte[251]))
          .withMessage("key of 251 bytes, legal: 1 to 250");
      assertThatIllegalStateException().isThrownBy(() -> log.assign(9, 0, 0, key("b")));
      assertThatIllegalStateException().isThrownBy(() -> log.seal(9));
      assertThatIllegalStateException().isThrownBy(() -> log.freeStripe(9));
      assertThatIllegalArgumentException().isThrownBy(() -> log.openStripe(127, 7, 0));
      log.sync();
      assertThat(Files.size(LogCopy.lastSegment(directory))).isEqualTo(bytes);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MetadataLog.open(directory, MetadataOptions.of(4)))
        .withMessageStartingWith("4 data chunks, legal: 3 as in ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MetadataOptions(0, 4096))
        .withMessage("0 data chunks, legal: 1 to 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MetadataOptions(3, 100))
        .withMessage("segments of 100 bytes, legal: 4096 to 1073741824");
  }

  @Test
  void keeps_a_second_log_of_this_process_out() throws IOException {
    MetadataLog log = MetadataLog.open(directory, OPTIONS);

    assertThatIOException()
        .isThrownBy(() -> MetadataLog.open(directory, OPTIONS))
        .withMessage(
            "directory %s is in use by process %s; each proxy needs one of its own",
            directory, ProcessHandle.current().pid());
    log.close();
    log.close();

    assertThatIllegalStateException().isThrownBy(log::sync).withMessageContaining("is closed");
    MetadataLog.open(directory, OPTIONS).close();
  }

  @Test
  void keeps_other_processes_out_until_they_are_killed() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("open");

      assertThatIOException()
          .isThrownBy(() -> MetadataLog.open(directory, OPTIONS))
          .withMessageContaining("is in use by process " + process.pid());
    } finally {
      process.destroyForcibly().waitFor(40, TimeUnit.SECONDS);
    }

    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(log.chunks().key(0, 1, 2)).isEqualTo(new byte[] {42});
    }
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
