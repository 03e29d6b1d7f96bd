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

class DropCountsTest {
  private static final ServerId ONE = new ServerId("10.0.0.1:11211");
  private static final ServerId TWO = new ServerId("10.0.0.2:11211");

  @TempDir private Path directory;

  @Test
  void tells_the_numbers_of_an_earlier_process() throws IOException {
    DropCounts first = DropCounts.read(directory);
    assertThat(first.of(ONE)).isNull();
    first.put(ONE, 5);
    first.put(TWO, 0);
    first.put(ONE, 7);

    DropCounts next = DropCounts.read(directory);

    assertThat(next.of(ONE)).isEqualTo(7);
    assertThat(next.of(TWO)).isZero();
  }

  /** A loss of power may leave any end of the file. */
  @Test
  void leaves_out_what_is_damaged() throws IOException {
    Files.write(
        directory.resolve("drops"), List.of(ONE.name() + " 5", "", "\0\0\0", TWO.name(), "a b c"));

    DropCounts read = DropCounts.read(directory);

    assertThat(read.of(ONE)).isEqualTo(5);
    assertThat(read.of(TWO)).isNull();
  }

  /** A server that leaves and comes again may have dropped items of others meanwhile. */
  @Test
  void forgets_servers_that_have_left() throws IOException {
    DropCounts counts = DropCounts.read(directory);
    counts.put(ONE, 5);
    counts.put(TWO, 6);

    counts.retain(Set.of(TWO));
    counts.put(TWO, 7);

    assertThat(counts.of(ONE)).isNull();
    assertThat(DropCounts.read(directory).of(ONE)).isNull();
    assertThat(DropCounts.read(directory).of(TWO)).isEqualTo(7);
  }

  /** The owner on another machine has restored what was dropped since. */
  @Test
  void a_copy_that_follows_begins_anew() throws IOException {
    DropCounts.read(directory).put(ONE, 5);

    DroppedItems.follow(directory);
    DroppedItems.follow(directory);

    assertThat(DropCounts.read(directory).of(ONE)).isNull();
  }
}
