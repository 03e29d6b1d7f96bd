package io.counterpart.cache.store.behind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The log files of pending changes. */
class ChangeLogTest {
  private static final int SMALL = 1000;

  @TempDir private Path directory;

  private static Change write(int i, int bytes) {
    return new Change(
        Key.of("k" + i), new PersistentRecord(new byte[bytes], i, 1L << 31, i % 2 == 0, i), i);
  }

  private List<Change> found() throws IOException {
    List<Change> found = new ArrayList<>();
    ChangeLog.open(directory, SMALL, found::add).close();
    return found;
  }

  @Test
  void what_was_appended_is_found_in_order() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      for (int i = 0; i < 50; i++) {
        log.append(i % 3 == 0 ? new Change(Key.of("k" + i), null, i) : write(i, i * 7));
      }
    }

    List<Change> found = found();

    assertThat(found).hasSize(50);
    for (int i = 0; i < 50; i++) {
      Change change = found.get(i);
      assertThat(change.key()).isEqualTo(Key.of("k" + i));
      assertThat(change.timestamp()).isEqualTo(i);
      PersistentRecord record = change.record();
      if (i % 3 == 0) {
        assertThat(record).isNull();
      } else {
        assertThat(record.value()).hasSize(i * 7);
        assertThat(record.flags()).isEqualTo(i);
        assertThat(record.expirySeconds()).isEqualTo(1L << 31);
        assertThat(record.stale()).isEqualTo(i % 2 == 0);
      }
    }
  }

  @Test
  void files_go_when_nothing_in_them_or_before_is_needed() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      int first = log.append(write(1, SMALL));
      int second = log.append(write(2, SMALL));
      log.append(write(3, 1));
      assertThat(files()).isEqualTo(3);

      log.release(second);
      sync(log);
      assertThat(files()).isEqualTo(3);
      log.release(first);
      assertThat(files()).isEqualTo(1);
    }

    assertThat(found()).extracting(Change::key).containsExactly(Key.of("k3"));
  }

  @Test
  void a_change_stays_until_the_one_that_replaces_it_is_durable() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      int first = log.append(write(1, SMALL));
      log.append(new Change(Key.of("k1"), null, 2));
      log.release(first);
      assertThat(files()).isEqualTo(2);

      sync(log);
      assertThat(files()).isEqualTo(1);
    }
  }

  private static void sync(ChangeLog log) throws IOException {
    ChangeLog.Syncing due = log.unsynced();
    due.sync();
    due.synced();
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void a_torn_end_is_left_out_and_damage_before_it_refused(Random random) throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, SMALL));
      log.append(write(2, 100));
      log.append(write(3, 100));
    }
    Path last = directory.resolve("behind-2.log");
    byte[] bytes = Files.readAllBytes(last);
    Files.write(last, Arrays.copyOf(bytes, bytes.length - 1 - random.nextInt(100)));

    assertThat(found()).extracting(Change::timestamp).containsExactly(1L, 2L);

    Path first = directory.resolve("behind-1.log");
    byte[] damaged = Files.readAllBytes(first);
    damaged[random.nextInt(damaged.length)] ^= 1;
    Files.write(first, damaged, StandardOpenOption.TRUNCATE_EXISTING);
    assertThatThrownBy(this::found)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is damaged at byte 0");
  }

  @Test
  void a_torn_end_is_no_damage_to_the_start_after_a_failed_one() throws Exception {
    leaveTornLog();

    assertThat(found()).extracting(Change::timestamp).containsExactly(1L); // and nothing released
    assertThat(found()).extracting(Change::timestamp).containsExactly(1L);
  }

  @Test
  void a_torn_end_is_no_damage_beside_the_empty_file_of_a_failed_start() throws Exception {
    leaveTornLog();
    Files.createFile(directory.resolve("behind-2.log"));

    assertThat(found()).extracting(Change::timestamp).containsExactly(1L);
  }

  @Test
  void after_a_failed_sync_nothing_counts_as_durable() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      int first = log.append(write(1, SMALL));
      log.append(new Change(Key.of("k1"), null, 2));
      log.release(first);
      log.fail(new IOException("no disk"));
      sync(log);
      assertThat(files()).isEqualTo(2);
      assertThatThrownBy(() -> log.append(write(3, 1))).hasMessageContaining("has failed before");
    }
    assertThat(files()).isEqualTo(2);
  }

  @Test
  void a_renewed_log_replaces_what_it_was_before_damaged_or_not() throws Exception {
    Path old = directory.resolve("behind-1.log");
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 100));
      log.append(write(2, 100));
      sync(log);
      byte[] damaged = Files.readAllBytes(old);
      damaged[50] ^= 1;
      log.fail(new IOException("no disk"));

      log.renew(List.of(write(2, 100)));

      assertThat(log.hasFailed()).isFalse();
      assertThat(old).doesNotExist();
      log.append(write(3, 100));
      Files.write(old, damaged); // the loss of power comes before it is deleted
    }
    assertThat(found()).extracting(Change::timestamp).containsExactly(2L, 3L);
  }

  @Test
  void a_log_that_cannot_be_renewed_stays_as_it_was() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 100));
      log.fail(new IOException("no disk"));
      Path hindrance = Files.createDirectory(directory.resolve("behind.new"));

      assertThatThrownBy(() -> log.renew(List.of(write(1, 100)))).isInstanceOf(IOException.class);

      assertThat(log.hasFailed()).isTrue();
      assertThat(files()).isEqualTo(1);
      Files.delete(hindrance);
    }
    assertThat(found()).extracting(Change::timestamp).containsExactly(1L);
  }

  @Test
  void a_renewed_log_goes_on_also_if_its_old_file_stays() throws Exception {
    Path old = directory.resolve("behind-1.log");
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 100));
      log.fail(new IOException("no disk"));
      Files.delete(old);
      Path hindrance = Files.createDirectories(old.resolve("not-to-be-deleted"));

      assertThat(log.renew(List.of(write(1, 100)))).isEqualTo(2);

      assertThat(log.hasFailed()).isFalse();
      assertThat(log.append(write(2, 100))).isEqualTo(2);
      Files.delete(hindrance);
    }
    assertThat(found()).extracting(Change::timestamp).containsExactly(1L, 2L);
  }

  @Test
  void what_was_written_for_a_log_that_cannot_be_renewed_takes_no_room() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.fail(new IOException("no disk"));
      Path hindrance = Files.createDirectory(directory.resolve("behind-2.log"));

      assertThatThrownBy(() -> log.renew(List.of(write(1, 100)))).isInstanceOf(IOException.class);

      assertThat(directory.resolve("behind.new")).doesNotExist();
      Files.delete(hindrance);
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void damage_of_what_was_durable_is_refused_in_the_last_file_too(Random random) throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 100));
      log.append(write(2, 100));
      sync(log);
      log.append(write(3, 100));
    }
    Path last = directory.resolve("behind-1.log");
    byte[] bytes = Files.readAllBytes(last);
    byte[] torn = Arrays.copyOf(bytes, bytes.length - 1 - random.nextInt(100));
    Files.write(last, torn);
    assertThat(found()).extracting(Change::timestamp).containsExactly(1L, 2L);

    torn[random.nextInt(100)] ^= 1;
    Files.write(last, torn);
    assertThatThrownBy(this::found).hasMessageContaining("is damaged at byte 0");
  }

  @Test
  void what_the_store_has_is_told_in_its_place() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, SMALL));
      log.append(write(2, 100));
      log.noteAllWritten();
      log.append(write(3, 100));
    }

    List<Change> left = new ArrayList<>();
    ChangeLog.Found found =
        new ChangeLog.Found() {
          @Override
          public void change(Change change) {
            left.add(change);
          }

          @Override
          public void allWritten() {
            left.clear();
          }
        };
    ChangeLog.open(directory, SMALL, found).close();

    assertThat(left).extracting(Change::timestamp).containsExactly(3L);
  }

  @Test
  void a_failed_start_leaves_no_file_of_its_own() throws Exception {
    leaveTornLog();

    for (int start = 0; start < 3; start++) {
      assertThat(found()).hasSize(1);
      assertThat(files()).isEqualTo(1);
    }
  }

  @Test
  void a_directory_has_one_log() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      String self = "is in use by process " + ProcessHandle.current().pid();
      assertThatThrownBy(this::found).hasMessageContaining(self);
      assertThat(isLocked()).as("a second attempt leaves the kernel's lock alone").isTrue();
      log.append(write(1, 1));
    }
    assertThat(found()).hasSize(1);
  }

  /** Whether the kernel has a lock on the directory's file for it. */
  private boolean isLocked() throws IOException {
    String inode = ":" + Files.getAttribute(directory.resolve("lock"), "unix:ino") + " ";
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(line -> line.contains(inode));
  }

  @Test
  void what_was_found_is_gone_once_it_is_released() throws Exception {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 1));
    }
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.releaseFound();
    }
    assertThat(found()).isEmpty();
  }

  /** Leaves a log with two changes, of which the second is not whole. */
  private void leaveTornLog() throws IOException {
    try (ChangeLog log = ChangeLog.open(directory, SMALL, change -> {})) {
      log.append(write(1, 100));
      log.append(write(2, 100));
    }
    Path last = directory.resolve("behind-1.log");
    byte[] bytes = Files.readAllBytes(last);
    Files.write(last, Arrays.copyOf(bytes, bytes.length - 1));
  }
}
