package io.counterpart.cache.coded.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.server.Placement;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.stripe.Durability;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Sequences;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSlotsTest {
  private static final int SMALLEST = 0;
  private static final CodeShape CODE = new CodeShape(5, 3);

  @TempDir private Path directory;

  /** A loop that runs nothing, so that no record becomes durable. */
  private final GuardedLoop loop = new GuardedLoop(new EmbeddedChannel().eventLoop(), why -> {});

  private MetadataLog log;
  private Metadata metadata;
  private FreeSlots slots;

  @BeforeEach
  void open() throws Exception {
    log = MetadataLog.open(directory.resolve("log"), MetadataOptions.of(CODE.k()));
    metadata =
        new Metadata(log, new Durability(log, loop, Duration.ofMillis(5), () -> {}), () -> {});
    List<ServerId> servers =
        IntStream.range(0, CODE.n())
            .mapToObj(i -> new ServerId("localhost:" + (1000 + i)))
            .toList();
    ServerMap map = CodedSettings.of(CODE, servers, directory).newServers();
    Placement placement = new Placement(CODE.parityCount(), metadata, new ObjectIndex(), map, null);
    slots = new FreeSlots(placement, CODE.k(), metadata, Sequences.ofEpoch(1, () -> {}));
  }

  @AfterEach
  void close() throws Exception {
    metadata.end();
    log.close();
  }

  @Test
  void millions_of_free_slots_take_memory_by_stripe_alone() {
    int slotsPerStripe = CODE.k() * SlotClasses.slotsPerChunk(SMALLEST);
    int stripes = 8_000_000 / slotsPerStripe;
    metadata.together(
        () -> {
          for (int i = 0; i < stripes; i++) {
            slots.giveAll(metadata.openStripe(SMALLEST, 0b111, i));
          }
        });
    // each slot is freed once more, as by a deletion
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int slot = 0; slot < SlotClasses.slotsPerChunk(SMALLEST); slot++) {
        slots.give(new Place(stripe, 1, slot));
      }
    }

    assertThat(slots.bytes()).isLessThan(1 << 20);
    assertThat(take(1_000)).hasSize(1_000);
  }

  @Test
  void a_slot_is_given_once_until_it_is_free_again() {
    int all = SlotClasses.slotsPerChunk(SMALLEST);
    slots.giveAll(metadata.openStripe(SMALLEST, 0b111, 0));
    Set<Place> taken = take(all);
    assertThat(taken).hasSize(all).allMatch(place -> place.stripe() == 0);

    Place freed = new Place(0, 0, 5);
    slots.give(freed);
    assertThat(slots.take(SMALLEST, 0)).isEqualTo(freed);
    assertThat(slots.take(SMALLEST, 0).stripe()).as("another stripe is opened").isEqualTo(1);
  }

  @Test
  void what_is_withheld_is_offered_again_after_its_release() {
    slots.giveAll(metadata.openStripe(SMALLEST, 0b111, 0));
    slots.withhold(0);
    slots.give(new Place(0, 0, 3));
    assertThat(slots.take(SMALLEST, 0).stripe()).isEqualTo(1);

    metadata.freeStripe(1, () -> {});
    slots.release(0);
    assertThat(slots.take(SMALLEST, 0).stripe()).isZero();
  }

  private Set<Place> take(int count) {
    Set<Place> taken = new HashSet<>();
    for (int i = 0; i < count; i++) {
      taken.add(slots.take(SMALLEST, 0));
    }
    return taken;
  }
}
