package io.counterpart.cache.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Random operations with crashes at random bytes, against a naive model. */
@ExtendWith(SeededRandom.class)
class MetadataLogCrashTest {
  private static final MetadataOptions OPTIONS =
      new MetadataOptions(MetadataModel.DATA_CHUNKS, 8 << 10);

  @TempDir Path temporary;

  /** The state after each change, and the number of changes that the last sync covered. */
  private final List<String> states = new ArrayList<>();

  private int synced;
  private int syncedBytes;
  private Path tail = Path.of("");

  @Test
  void replays_a_prefix_that_holds_all_that_was_synced(Random random) throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);

    for (int round = 0; round < 15; round++) {
      try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
        assertThat(MetadataModel.state(log)).isEqualTo(model.state());
        changeAtRandom(log, model, random, directory);
        Path crashed = LogCopy.of(directory, temporary.resolve("crash-" + round));
        Path tail = LogCopy.lastSegment(crashed);
        int length = (int) Files.size(tail);
        int cut = syncedBytes + random.nextInt(length - syncedBytes + 1);
        if (random.nextBoolean()) {
          LogCopy.truncate(tail, cut);
        } else if (cut < length) {
          LogCopy.flip(tail, cut);
        }
        assertReplaysSyncedPrefix(crashed);
      }
    }
  }

  /** Power may end after each change; then the file ends where it was synced. */
  @Test
  void keeps_all_that_was_synced_wherever_power_ends(Random random) throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      begin(model, directory);
      for (int i = 0; i < 300; i++) {
        change(log, model, random.nextInt(40), directory);
        Path crashed = LogCopy.of(directory, temporary.resolve("power-" + i));
        LogCopy.truncate(LogCopy.lastSegment(crashed), syncedBytes);
        assertReplaysSyncedPrefix(crashed);
      }
    }
    assertThat(synced).as("some was synced").isPositive();
  }

  private void changeAtRandom(MetadataLog log, MetadataModel model, Random random, Path directory)
      throws IOException {
    begin(model, directory);
    int changes = random.nextInt(300);
    for (int i = 0; i < changes; i++) {
      change(log, model, random.nextInt(120), directory);
    }
  }

  private void begin(MetadataModel model, Path directory) throws IOException {
    states.clear();
    states.add(model.state());
    synced = 0;
    tail = LogCopy.lastSegment(directory);
    syncedBytes = (int) Files.size(tail);
  }

  /**
   * One change.
   *
   * @param kind 0 for a checkpoint after it, 1 to 3 for a sync, 4 to 19 for a flush
   */
  private void change(MetadataLog log, MetadataModel model, int kind, Path directory)
      throws IOException {
    model.change(log);
    states.add(model.state());
    if (kind == 0) {
      MetadataModel.checkpoint(log);
    } else if (kind < 4) {
      log.sync();
    } else if (kind < 20) {
      log.flush();
    }
    // a new file is begun only when all before it is safe; the last change may be in the new one
    boolean begun = !LogCopy.lastSegment(directory).equals(tail);
    tail = LogCopy.lastSegment(directory);
    if (kind < 4 || begun) {
      synced = kind < 4 ? states.size() - 1 : states.size() - 2;
      syncedBytes = (int) Files.size(tail);
    }
  }

  private void assertReplaysSyncedPrefix(Path crashed) throws IOException {
    String replayed;
    try (MetadataLog log = MetadataLog.open(crashed, OPTIONS)) {
      replayed = MetadataModel.state(log);
    }
    int reached = states.lastIndexOf(replayed);
    assertThat(reached).as("changes replayed, of %s", states.size()).isGreaterThanOrEqualTo(synced);
    try (MetadataLog log = MetadataLog.open(crashed, OPTIONS)) {
      assertThat(MetadataModel.state(log)).isEqualTo(replayed);
    }
  }

  /** A sync may have failed: the next one would succeed without the bytes. */
  @Test
  void writes_anew_what_no_sync_has_covered() throws IOException {
    Path directory = temporary.resolve("log");
    Path killed;
    int mark;
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      log.setEpoch(1);
      log.sync();
      mark = LogPosition.offset(log.durable()) - Frame.HEADER_BYTES - Frame.SYNCED_BODY_BYTES;
      log.setEpoch(2);
      log.flush();
      killed = LogCopy.of(directory, temporary.resolve("killed"));
    }
    List<String> steps = new ArrayList<>();

    MetadataLog.open(killed, OPTIONS, steps::add).close();

    assertThat(steps).contains("rewrote segment 1 from " + mark);
  }

  /** The marks of a copy tell of its owner's disk, also in a file that has ended. */
  @Test
  void a_copy_writes_anew_what_it_has_not_noted_as_on_disk() throws IOException {
    Path directory = temporary.resolve("log");
    Path copy;
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      log.setEpoch(1);
      log.beginCheckpoint(); // the first file ends, and says where the log goes on
      copy = LogCopy.of(directory, temporary.resolve("copy"));
    }
    for (Path file : LogCopy.segments(copy)) {
      if (number(file) > 1) {
        Files.delete(file);
      }
    }
    CopiedTo.note(copy, LogPosition.of(1, LogFileHeader.BYTES));
    List<String> steps = new ArrayList<>();

    MetadataLog.open(copy, OPTIONS, steps::add).close();

    assertThat(steps).contains("rewrote segment 1 from " + LogFileHeader.BYTES);
  }

  @Test
  void finds_any_damage_to_what_was_synced(Random random) throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      for (int i = 0; i < 800; i++) {
        model.change(log);
        if (i == 400) {
          MetadataModel.checkpoint(log);
        }
      }
    }
    int markBytes = Frame.HEADER_BYTES + Frame.SYNCED_BODY_BYTES;

    for (int i = 0; i < 40; i++) {
      Path damaged = LogCopy.of(directory, temporary.resolve("damaged-" + i));
      List<Path> segments = LogCopy.segments(damaged);
      Path file = segments.get(random.nextInt(segments.size()));
      boolean last = file.equals(LogCopy.lastSegment(damaged));
      int length = (int) Files.size(file) - (last ? markBytes : 0);
      int at = random.nextInt(length);
      LogCopy.flip(file, at);

      Throwable thrown = catchThrowable(() -> MetadataLog.open(damaged, OPTIONS).close());

      assertThat(thrown)
          .as("byte %s of %s", at, file)
          .isInstanceOf(DamagedLogException.class)
          .hasMessageStartingWith(file + " is damaged at byte ");
      String offset = thrown.getMessage().replaceAll("(?s).* is damaged at byte (\\d+):.*", "$1");
      assertThat(Integer.parseInt(offset)).isBetween(0, at);
    }
  }

  @Test
  void opens_to_the_same_state_after_a_crash_at_any_step_of_a_checkpoint(Random random)
      throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    List<Path> crashes = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    String state;
    try (MetadataLog log =
        MetadataLog.open(
            directory,
            OPTIONS,
            step -> {
              Path crash = temporary.resolve("step-" + steps.size());
              steps.add(step);
              crashes.add(copy(directory, crash));
            })) {
      fill(log, model);
      state = model.state();
      MetadataModel.checkpoint(log);
      assertThat(MetadataModel.state(log)).isEqualTo(state);
      for (int i = 0; i < 50; i++) {
        model.change(log);
      }
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }

    assertThat(steps).contains("written", "switched", "deleted segment 1");
    assertThat(steps.get(0)).startsWith("wrote segment ");
    for (Path crash : crashes) {
      assertOpensTo(crash, state);
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }
  }

  /** A crash beside a checkpoint, and the state at that moment. */
  private record Crash(Path directory, String state) {}

  @Test
  void opens_to_the_present_state_after_a_crash_beside_a_checkpoint(Random random)
      throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    List<Crash> crashes = new ArrayList<>();
    List<Crash> powerless = new ArrayList<>();
    AtomicBoolean isSwitching = new AtomicBoolean();
    Runnable crash =
        () -> {
          Path to = temporary.resolve("crash-" + crashes.size());
          crashes.add(new Crash(copy(directory, to), model.state()));
        };
    try (MetadataLog log =
        MetadataLog.open(
            directory,
            OPTIONS,
            step -> {
              if (isSwitching.get()) {
                crash.run();
              }
            })) {
      fill(log, model);
      int before = number(LogCopy.lastSegment(directory));
      log.beginCheckpoint();
      for (boolean isWritten = false; !isWritten; ) {
        for (int changes = random.nextInt(5); changes > 0; changes--) {
          model.change(log);
        }
        isWritten = log.writeCheckpoint(0);
        log.flush();
        if (isWritten || powerless.size() < 3 || random.nextInt(8) == 0) {
          crash.run();
          Path to = temporary.resolve("power-" + powerless.size());
          damageAbove(before, copy(directory, to), random);
          powerless.add(new Crash(to, model.state()));
        }
        assertThat(MetadataModel.state(log)).isEqualTo(model.state());
      }
      isSwitching.set(true);
      log.checkpointUnderWay().commit();
      isSwitching.set(false);
      model.change(log);
      log.endCheckpoint();
      assertThat(LogCopy.segments(directory)).allMatch(file -> number(file) > before);
      for (int i = 0; i < 50; i++) {
        model.change(log);
      }
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }

    assertThat(powerless).hasSizeGreaterThan(3);
    assertThat(crashes).hasSizeGreaterThan(powerless.size() + 3);
    crashes.addAll(powerless);
    for (Crash of : crashes) {
      assertOpensTo(of.directory(), of.state());
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }
  }

  /** The bytes of a GOES_ON record, at the end of a file and of a key. */
  @Test
  void takes_no_key_for_a_record_of_where_the_log_goes_on() throws IOException {
    Path directory = temporary.resolve("log");
    ByteBuffer record = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(8, 1_000_000);
    Frame.complete(record, 0, Frame.GOES_ON, 4);
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      int stripe = log.openStripe(0, 7, 0);
      log.assign(stripe, 0, 0, record.array());
    }
    for (int opening = 0; opening < 2; opening++) {
      try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
        assertThat(log.chunks().key(0, 0, 0)).isEqualTo(record.array());
        assertThat(number(LogCopy.lastSegment(directory))).isOne();
      }
    }
  }

  @Test
  void a_checkpoint_has_an_order() throws IOException {
    try (MetadataLog log = MetadataLog.open(temporary.resolve("log"), OPTIONS)) {
      assertThatIllegalStateException().isThrownBy(log::endCheckpoint);
      log.openStripe(0, 7, 0);
      log.beginCheckpoint();
      assertThatIllegalStateException().isThrownBy(log::beginCheckpoint);
      assertThatIllegalStateException().isThrownBy(log.checkpointUnderWay()::commit);
      assertThat(log.checkpointDue()).isFalse();
    }
  }

  private static int number(Path segment) {
    return Integer.parseInt(segment.getFileName().toString().replaceAll("\\D", ""));
  }

  /** Damages files that no sync has covered: those of a checkpoint that does not count. */
  private static void damageAbove(int number, Path directory, Random random) throws IOException {
    Path last = LogCopy.lastSegment(directory);
    for (Path file : LogCopy.segments(directory)) {
      if (number(file) > number && !file.equals(last) && random.nextBoolean()) {
        int length = (int) Files.size(file);
        Files.write(file, new byte[random.nextInt(length + 1)]);
      }
    }
  }

  @Test
  void a_checkpoint_that_is_given_up_changes_nothing(Random random) throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    Checkpoint late;
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      for (int i = 0; i < 500; i++) {
        model.change(log);
      }
      log.beginCheckpoint();
      model.change(log);
      assertThat(log.writeCheckpoint(Long.MAX_VALUE)).isTrue();
      model.change(log);
      late = log.checkpointUnderWay();
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      late.commit();
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }
    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }
  }

  /** Until the state takes more than one segment. */
  private static void fill(MetadataLog log, MetadataModel model) throws IOException {
    for (int i = 0; i < 1_500 || log.chunks().size() < 500; i++) {
      model.change(log);
    }
  }

  private static void assertOpensTo(Path crash, String state) throws IOException {
    int next = number(LogCopy.lastSegment(crash)) + 1;
    // the file that comes next, as far as a crash may have let it
    Files.write(new LogDirectory(crash).segment(next), new byte[next % 2 * LogFileHeader.BYTES]);
    for (int opening = 0; opening < 2; opening++) {
      try (MetadataLog log = MetadataLog.open(crash, OPTIONS)) {
        assertThat(MetadataModel.state(log)).isEqualTo(state);
      }
    }
  }

  @Test
  void is_of_no_use_after_a_failure_until_it_is_opened_anew(Random random) throws IOException {
    Path directory = temporary.resolve("log");
    MetadataModel model = new MetadataModel(random);
    try (MetadataLog log =
        MetadataLog.open(
            directory,
            OPTIONS,
            step -> {
              throw new UncheckedIOException(new IOException("no space left"));
            })) {
      for (int i = 0; i < 100; i++) {
        model.change(log);
      }
      assertThatThrownBy(() -> MetadataModel.checkpoint(log)).hasMessageContaining("no space left");
      assertThatThrownBy(() -> log.setEpoch(MetadataState.MAX_EPOCH))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ended with an earlier failure");
      assertThatThrownBy(log::sync).isInstanceOf(IOException.class);
    }

    try (MetadataLog log = MetadataLog.open(directory, OPTIONS)) {
      assertThat(MetadataModel.state(log)).isEqualTo(model.state());
    }
  }

  private static Path copy(Path directory, Path copy) {
    try {
      return LogCopy.of(directory, copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
