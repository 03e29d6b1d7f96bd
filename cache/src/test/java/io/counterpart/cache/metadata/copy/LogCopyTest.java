package io.counterpart.cache.metadata.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.metadata.CopiedTo;
import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.LogFiles;
import io.counterpart.cache.metadata.LogPosition;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a log that gets its bytes in small pieces, cut anywhere, and a disk with faults. */
class LogCopyTest {
  private static final int PIECE_BYTES = 1000;
  private static final int FILE_BYTES = 8 << 10;
  private static final MetadataOptions OPTIONS = new MetadataOptions(3, FILE_BYTES);

  /** Of a record of an epoch, and of the mark that a sync leaves. */
  private static final int RECORD_BYTES = 12;

  private static final int HEADER_BYTES = 20;

  @TempDir private Path temporary;

  private final FaultyDisk disk = new FaultyDisk();
  private Path directory;
  private MetadataLog log;
  private int epoch;

  @BeforeEach
  void open() throws IOException {
    directory = temporary.resolve("copy");
    log = MetadataLog.open(temporary.resolve("owner"), OPTIONS);
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  private void grow(int records) throws IOException {
    for (int i = 0; i < records; i++) {
      log.setEpoch(++epoch);
    }
  }

  /** The log as its copy reaches it. */
  private final class Owner implements CopyOwner {
    @Override
    public CopyPiece pull(CopyPull pull) throws IOException {
      log.flush();
      LogFiles files = log.files();
      if (pull.isFarewell()) {
        return new CopyPiece(files.start(), 0, false, false, log.end(), new byte[0]);
      }
      byte[] bytes = files.bytes(pull.file(), pull.offset(), PIECE_BYTES);
      boolean isEnd = pull.offset() + bytes.length == files.length(pull.file());
      int next = isEnd ? files.next(pull.file()) : 0;
      return new CopyPiece(files.start(), next, true, false, log.end(), bytes);
    }

    @Override
    public OptionalInt checksum(int file, int lengthBytes) throws IOException {
      return log.files().checksum(file, lengthBytes);
    }
  }

  private LogFollower following(LogCopy copy) throws IOException, InterruptedException {
    LogFollower follower = new LogFollower(copy, new Owner());
    follower.begin();
    while (!copy.isWhole()) {
      follower.step();
    }
    return follower;
  }

  @Test
  void a_copy_that_ends_within_a_record_can_be_opened() throws Exception {
    int least;
    try (LogCopy copy = LogCopy.open(directory)) {
      LogFollower follower = following(copy);
      int before = LogPosition.offset(copy.end());
      grow(200);
      follower.step();
      int taken = LogPosition.offset(copy.end()) - before;
      assertThat(taken % RECORD_BYTES).as("bytes of the last record").isPositive();
      least = taken / RECORD_BYTES;
    }

    assertThat(epochOfCopy()).isEqualTo(least);
  }

  @Test
  void a_copy_whose_newest_file_is_empty_can_be_opened() throws Exception {
    try (LogCopy copy = LogCopy.open(directory, disk)) {
      LogFollower follower = following(copy);
      grow(1000); // more than a file
      while (copy.files().size() == 1) {
        disk.isFull = isAtNextFile(copy);
        try {
          follower.step();
        } catch (IOException full) {
          assertThat(full).hasMessageContaining("No space left");
          break;
        }
      }
      assertThat(copy.files().lastEntry().getValue()).isZero();
    }

    assertThat(epochOfCopy()).isPositive();
  }

  /** As after a clean end at that moment. */
  @Test
  void a_file_of_length_zero_is_never_noted() throws Exception {
    try (LogCopy copy = LogCopy.open(directory)) {
      LogFollower follower = following(copy);
      grow(1000);
      while (!isAtNextFile(copy)) {
        follower.step();
      }
    }
    GrowingFile.Opener.real(new LogDirectory(directory).segment(2)).close();
    try (LogCopy copy = LogCopy.open(directory)) {
      LogFollower follower = new LogFollower(copy, new Owner());
      follower.begin();
      assertThat(copy.files().lastEntry().getValue()).isZero();
    }

    assertThat(LogPosition.file(CopiedTo.position(directory).orElseThrow())).isOne();
    assertThat(epochOfCopy()).isPositive();
  }

  private boolean isAtNextFile(LogCopy copy) {
    return LogPosition.offset(copy.end()) == log.files().length(1);
  }

  @Test
  void what_a_failed_sync_left_in_the_cache_is_written_anew() throws Exception {
    try (LogCopy copy = LogCopy.open(directory, disk)) {
      LogFollower follower = following(copy);
      grow(10);
      follower.step();
      assertOnDisk(copy.durable());
      grow(10);
      disk.isBroken = true;
      assertThatThrownBy(follower::step).hasMessage("Input/output error");
    }
    assertOnDisk(CopiedTo.position(directory).orElseThrow());

    try (LogCopy copy = LogCopy.open(directory, disk)) {
      LogFollower follower = following(copy);
      assertOnDisk(copy.durable());
      grow(10);
      follower.step();
      assertThat(copy.durable()).isEqualTo(log.end());
      assertOnDisk(copy.durable());
    }
    assertThat(CopiedTo.position(directory)).hasValue(log.end());
  }

  /** A copy that owned the tier for a moment has records of its own. */
  @Test
  void a_copy_that_reaches_no_owner_notes_nothing() throws Exception {
    try (LogCopy copy = LogCopy.open(directory)) {
      following(copy);
    }
    long copied = CopiedTo.position(directory).orElseThrow();
    try (MetadataLog own = MetadataLog.open(directory, OPTIONS)) {
      own.setEpoch(own.epoch() + 1);
    }

    LogCopy.open(directory).close();

    assertThat(CopiedTo.position(directory)).hasValue(copied);
  }

  private void assertOnDisk(long position) throws IOException {
    int length = LogPosition.offset(position);
    byte[] found = disk.onDisk(new LogDirectory(directory).segment(1));
    assertThat(found.length).isGreaterThanOrEqualTo(length).isGreaterThan(HEADER_BYTES);
    assertThat(Arrays.copyOf(found, length)).isEqualTo(log.files().bytes(1, 0, length));
  }

  private int epochOfCopy() throws IOException {
    try (MetadataLog opened = MetadataLog.open(directory, OPTIONS)) {
      return opened.epoch();
    }
  }
}
