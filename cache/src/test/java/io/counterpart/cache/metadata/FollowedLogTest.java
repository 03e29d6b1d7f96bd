package io.counterpart.cache.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.metadata.copy.CopyOwner;
import io.counterpart.cache.metadata.copy.CopyPiece;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.metadata.copy.LogFollower;
import io.counterpart.cache.metadata.copy.OldCopy;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A log under random changes, and a copy that follows it: whoever dies, the copy has it all. */
@ExtendWith(SeededRandom.class)
class FollowedLogTest {
  private static final MetadataOptions OPTIONS =
      new MetadataOptions(MetadataModel.DATA_CHUNKS, 8 << 10);

  @TempDir Path temporary;

  private Path ownersDirectory;
  private Path directory;
  private MetadataLog log;
  private MetadataModel model;

  /** The state of the model by the end of the log. */
  private final TreeMap<Long, String> states = new TreeMap<>();

  private boolean hasCheckpoints;
  private int farewells;
  private int pieces;

  @BeforeEach
  void open(Random random) throws IOException {
    ownersDirectory = temporary.resolve("owner");
    directory = temporary.resolve("copy");
    log = MetadataLog.open(ownersDirectory, OPTIONS);
    model = new MetadataModel(random);
    states.put(log.end(), model.state());
  }

  private void change(int most, Random random) throws IOException {
    for (int i = random.nextInt(most); i >= 0; i--) {
      model.change(log);
      if (hasCheckpoints && random.nextInt(400) == 0) {
        MetadataModel.checkpoint(log);
      } else if (random.nextInt(20) == 0) {
        log.sync();
      }
      states.put(log.end(), model.state());
    }
  }

  /** The log as its copy reaches it. */
  private final class Owner implements CopyOwner {
    @Override
    public CopyPiece pull(CopyPull pull) throws IOException {
      pieces++;
      farewells += pull.isFarewell() ? 1 : 0;
      log.flush();
      LogFiles files = log.files();
      byte[] bytes =
          pull.isFarewell() ? new byte[0] : files.bytes(pull.file(), pull.offset(), 1000);
      int next =
          !pull.isFarewell()
                  && bytes != null
                  && pull.offset() + bytes.length == files.length(pull.file())
              ? files.next(pull.file())
              : 0;
      return new CopyPiece(
          files.start(), next, true, bytes == null, log.end(), bytes == null ? new byte[0] : bytes);
    }

    @Override
    public OptionalInt checksum(int file, int lengthBytes) throws IOException {
      return log.files().checksum(file, lengthBytes);
    }
  }

  @Test
  void a_copy_that_is_killed_at_any_moment_has_what_it_told(Random random) throws Exception {
    int whole = 0;
    hasCheckpoints = true;
    for (int life = 0; life < 12; life++) {
      try (var copy = io.counterpart.cache.metadata.copy.LogCopy.open(directory)) {
        LogFollower follower = new LogFollower(copy, new Owner());
        follower.begin();
        for (int step = random.nextInt(120); step >= 0; step--) {
          change(12, random);
          follower.step();
          if (random.nextInt(8) == 0) {
            Path killed = LogCopy.of(directory, temporary.resolve("killed-" + life + "-" + step));
            if (OldCopy.isNoted(killed)) {
              assertThatThrownBy(() -> OldCopy.refuse(killed)).isInstanceOf(IOException.class);
            } else {
              tear(killed, copy.durable(), random);
              assertHas(killed, copy.durable());
              whole++;
            }
          }
        }
      }
    }
    assertThat(whole).isPositive();
  }

  @Test
  void a_copy_is_made_anew_only_if_it_must(Random random) throws Exception {
    follow(200, random);
    assertThat(farewells).isOne();

    // its process is killed, and the owner's; neither disk is lost
    change(20, random);
    log.close();
    log = MetadataLog.open(ownersDirectory, OPTIONS);
    states.put(log.end(), model.state());
    follow(200, random);
    assertThat(farewells).isOne();

    // it has tried to own the tier
    try (MetadataLog own = MetadataLog.open(directory, OPTIONS)) {
      own.setEpoch(own.epoch() + 1);
    }
    follow(50, random);
    assertThat(farewells).isEqualTo(2);

    // the owner's disk has lost what the copy's has, and the log went on differently
    log.close();
    MetadataLog other = MetadataLog.open(temporary.resolve("other"), OPTIONS);
    log = other;
    model = new MetadataModel(random);
    states.clear();
    states.put(log.end(), model.state());
    follow(50, random);
    assertThat(farewells).isBetween(3, 4);
  }

  @Test
  void a_checkpoint_counts_in_the_copy_only_when_it_is_there(Random random) throws Exception {
    change(3000, random);
    MetadataModel.checkpoint(log);
    states.put(log.end(), model.state());
    try (var copy = io.counterpart.cache.metadata.copy.LogCopy.open(directory)) {
      LogFollower follower = new LogFollower(copy, new Owner());
      follower.begin();
      while (!copy.isWhole()) {
        follower.step();
      }
      int start = copy.start();
      change(3000, random);
      while (copy.end() < log.end()) {
        follower.step();
      }
      log.beginCheckpoint();
      while (!log.writeCheckpoint(1)) {
        change(3, random);
        follower.step();
      }
      log.checkpointUnderWay().commit();
      log.endCheckpoint();
      states.put(log.end(), model.state());
      for (int step = 0; copy.start() == start; step++) {
        assertThat(step).isLessThan(10_000);
        change(3, random);
        follower.step();
        Path killed = LogCopy.of(directory, temporary.resolve("killed-" + step));
        if (step % 10 == 0 || copy.start() != start) {
          assertHas(killed, copy.durable());
        }
      }
      assertThat(copy.start()).isEqualTo(log.files().start());
    }
  }

  private void follow(int steps, Random random) throws Exception {
    try (var copy = io.counterpart.cache.metadata.copy.LogCopy.open(directory)) {
      LogFollower follower = new LogFollower(copy, new Owner());
      follower.begin();
      for (int step = 0; step < steps; step++) {
        change(6, random);
        follower.step();
      }
      while (copy.end() < log.end()) {
        follower.step();
      }
    }
    assertHas(LogCopy.of(directory, temporary.resolve("followed-" + pieces)), log.end());
  }

  /** Leaves pages behind the durable part as a loss of power may: some, in any order. */
  private void tear(Path killed, long durable, Random random) throws IOException {
    byte[] more = log.files().bytes(LogPosition.file(durable), LogPosition.offset(durable), 500);
    if (more == null || more.length < 2) {
      return;
    }
    int from = random.nextInt(more.length);
    try (FileChannel file =
        FileChannel.open(
            new LogDirectory(killed).segment(LogPosition.file(durable)),
            StandardOpenOption.WRITE)) {
      file.write(
          ByteBuffer.wrap(more, from, more.length - from), LogPosition.offset(durable) + from);
    }
  }

  private void assertHas(Path killed, long durable) throws IOException {
    String least = states.floorEntry(durable).getValue();
    try (MetadataLog opened = MetadataLog.open(killed, OPTIONS)) {
      String found = MetadataModel.state(opened);
      assertThat(states.tailMap(states.floorKey(durable)).values())
          .as("at least %s", least)
          .contains(found);
    }
  }
}
