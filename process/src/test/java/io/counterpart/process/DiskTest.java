package io.counterpart.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiskTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int PAGE_BYTES = 4096;

  /** Not a temporary directory, which may be in memory. */
  private final Path directory = Path.of("target").toAbsolutePath();

  private Disk disk;

  @BeforeEach
  void find() throws IOException {
    disk = Disk.of(directory);
    assumeTrue(disk.bytesWritten().isPresent(), () -> directory + " is on no device of its own");
  }

  @Test
  void a_whole_disk_is_its_own_whole() throws IOException {
    Disk whole = disk.whole();

    assertThat(whole.whole()).isEqualTo(whole);
    assertThat(whole.device()).matches("\\d+:\\d+");
  }

  @Test
  void what_is_flushed_has_been_written() throws IOException {
    Path file = directory.resolve("disk-test");
    Disk.flush(directory);
    long before = disk.bytesWritten().orElseThrow();
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(random(8 * MEBIBYTE));

      Disk.flush(directory);

      assertThat(disk.bytesWritten().orElseThrow() - before)
          .isBetween(8L * MEBIBYTE, 64L * MEBIBYTE);
    } finally {
      file.toFile().delete();
    }
  }

  /** As a B+tree writes; other tests beside this one write too. */
  @Test
  void a_page_costs_no_more_than_a_few_pages() throws IOException {
    Path file = directory.resolve("disk-test-pages");
    Random random = new Random(1);
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(random(64 * MEBIBYTE));
      Disk.flush(directory);
      long before = disk.bytesWritten().orElseThrow();

      for (int i = 0; i < 1000; i++) {
        out.seek((long) PAGE_BYTES * random.nextInt(64 * MEBIBYTE / PAGE_BYTES));
        out.write(random(PAGE_BYTES));
      }
      Disk.flush(directory);

      assertThat(disk.bytesWritten().orElseThrow() - before)
          .isBetween(900L * PAGE_BYTES, 8_000L * PAGE_BYTES);
    } finally {
      file.toFile().delete();
    }
  }

  @Test
  void a_file_system_without_a_device_has_no_count() throws IOException {
    assertThat(Disk.of(Path.of("/proc")).bytesWritten()).isEmpty();
  }

  @Test
  void a_file_that_is_missing_is_no_disk() {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> Disk.of(missing)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Disk.flush(missing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(missing.toString());
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
