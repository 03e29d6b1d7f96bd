package io.counterpart.cache.coded.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.item.SlabUse.SlabClass;
import io.counterpart.cache.coded.settings.ServerSettings;
import io.counterpart.cache.protocol.MemcachedProcess;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SlabRoomTest {
  private static final long MIB = 1 << 20;
  private static final LongUnaryOperator NO_RESERVE = freeBytes -> 0;
  private static final LongUnaryOperator TWO_PAGES = freeBytes -> 2;

  /** A page of 48 chunks of 21,696 bytes, of which 6 are kept. */
  private static final long LARGE = 20_000;

  /** A page of 230 chunks of 4544 bytes, which journal items use too: 28 are kept. */
  private static final long SMALL = 4_000;

  @Test
  void insert_takes_what_is_free_but_for_chunks_that_are_kept() {
    SlabRoom room = room(10, large(1, 7));

    assertThat(room.admits(LARGE, TWO_PAGES)).isTrue();
    room.take(LARGE);
    assertThat(room.admits(LARGE, TWO_PAGES)).as("it has what is kept").isFalse();
  }

  @Test
  void class_that_is_owed_a_page_has_it_before_others() {
    SlabRoom room = room(13, large(1, 7));
    assertThat(room.pages()).isEqualTo(3);
    assertThat(room.admits(9_000, TWO_PAGES)).as("another class opens a page").isTrue();

    room.take(LARGE);
    room.take(LARGE);

    assertThat(room.sparePages(TWO_PAGES)).as("one is owed").isZero();
    assertThat(room.admits(9_000, TWO_PAGES)).isFalse();
    assertThat(room.admits(LARGE, TWO_PAGES)).as("the page is its own").isTrue();
  }

  @Test
  void page_is_opened_once_its_class_has_no_chunk() {
    SlabRoom room = room(12, large(1, 0));

    room.take(LARGE);

    assertThat(room.pages()).isEqualTo(1);
    assertThat(room.hasSurplus(LARGE)).isTrue();
    room.give(LARGE);
    assertThat(room.pages()).as("it stays with the class").isEqualTo(1);
  }

  @Test
  void first_page_of_a_class_is_given_beyond_the_limit() {
    SlabRoom full = room(1, large(1, 0));
    assertThat(full.admits(LARGE, NO_RESERVE)).as("a second page").isFalse();

    assertThat(full.admits(SMALL, NO_RESERVE)).isTrue();
    full.take(SMALL);
    assertThat(full.pages()).isZero();
    assertThat(full.admits(9_000, NO_RESERVE)).as("that of another class").isTrue();
  }

  /** A page for each size of journal items holds all journals of a server of 8 MiB. */
  @Test
  void small_servers_keep_no_pages_for_journals() {
    assertThat(MemoryBounds.of(8 * MIB, 32 * MIB).reservePages(0, 0)).isZero();
    assertThat(MemoryBounds.of(16 * MIB, 32 * MIB).reservePages(0, 0)).isPositive();
  }

  @Test
  void chunks_of_journal_items_are_part_of_the_reserve() {
    SlabRoom room = room(12, new SlabClass(4544, 230, 1, 115));
    LongUnaryOperator lessForJournals = freeBytes -> freeBytes >= 87 * 4544 ? 2 : 3;

    assertThat(room.admits(LARGE, lessForJournals)).as("it needs a page").isFalse();
    assertThat(room(12, new SlabClass(4544, 230, 1, 116)).admits(SMALL, lessForJournals))
        .as("half a page is left to journals")
        .isTrue();
    assertThat(room.admits(SMALL, lessForJournals)).as("it takes from the reserve").isFalse();
    assertThat(room.admits(SMALL, NO_RESERVE)).isTrue();
  }

  @Test
  void pages_that_classes_can_spare_count() {
    SlabRoom room = room(10, large(2, 2 * 48));

    assertThat(room.pages()).isEqualTo(1);
    assertThat(room.admits(SMALL, freeBytes -> 0)).isTrue();
    assertThat(room.admits(SMALL, TWO_PAGES)).isFalse();
  }

  @Test
  void journal_item_finds_room_in_a_larger_class() {
    SlabRoom full = room(10, large(1, 0), new SlabClass(8880, 118, 1, 30));
    int own = JournalItemSizes.padded(3000);
    int longer = JournalItemSizes.padded(8000);

    assertThat(JournalItemSizes.padded(3000, full, TWO_PAGES)).isEqualTo(longer);
    assertThat(JournalItemSizes.padded(3000, room(20), TWO_PAGES)).as("pages").isEqualTo(own);
    assertThat(JournalItemSizes.padded(100, full, TWO_PAGES)).as("any").isEqualTo(longer);
    assertThat(JournalItemSizes.padded(9000, full, TWO_PAGES))
        .as("none: its own is sent again")
        .isEqualTo(JournalItemSizes.padded(9000));
    SlabRoom reserve = room(12, new SlabClass(8880, 118, 1, 30));
    assertThat(JournalItemSizes.padded(100, reserve, TWO_PAGES))
        .as("the reserve, before it is 16 times as long")
        .isEqualTo(JournalItemSizes.padded(100));
  }

  @Test
  void chunk_that_is_owed_is_for_no_other() {
    SlabRoom room = room(10, large(1, 1), new SlabClass(40_960, 25, 9, 0));
    assertThat(room.mayHold(LARGE)).isTrue();

    room.take(LARGE);
    assertThat(room.mayHold(LARGE)).as("an insert may wait for other items").isTrue();
    room.owe(LARGE);
    assertThat(room.mayHold(LARGE)).isFalse();
    room.owe(LARGE);
    room.give(LARGE);
    assertThat(room.mayHold(LARGE)).as("the other is owed").isFalse();
    room.give(LARGE);

    assertThat(room.mayHold(LARGE)).isTrue();
    assertThat(room.mayHold(9_000)).as("the first page of a class").isTrue();
  }

  @Test
  void item_longer_than_a_chunk_takes_several() {
    assertThat(SlabSizes.DEFAULT.chunks(524_288)).isEqualTo(1);
    assertThat(SlabSizes.DEFAULT.chunks(524_289)).isEqualTo(2);
    assertThat(room(12).admits(1_100_000, TWO_PAGES)).as("a page of the reserve").isFalse();
    assertThat(room(14).admits(1_100_000, NO_RESERVE)).isTrue();
  }

  @Test
  void unknown_sizes_are_those_that_are_told() {
    SlabRoom room = room(10, new SlabClass(1000, 1048, 1, 1000), new SlabClass(3000, 349, 1, 0));

    assertThat(room.hasSurplus(900)).isTrue();
    assertThat(room.hasSurplus(2000)).isFalse();
  }

  /** The classes of a real server are those of its settings. */
  @Test
  void sizes_are_those_of_memcached() throws Exception {
    for (String[] options : new String[][] {{"-n", "48"}, {"-f", "1.08"}, {"-n", "100"}}) {
      String[] all = {"-I", "2m", "-m", "256", options[0], options[1]};
      try (MemcachedProcess server = MemcachedProcess.start(all)) {
        SlabSizes sizes = new ServerSettings(stats(server, "stats settings\r\n")).slabSizes();
        Map<Integer, Long> lengths = new TreeMap<>();
        StringBuilder sets = new StringBuilder();
        for (int length = 10; length < 500_000; length = length * 21 / 20 + 1) {
          String key = "key-" + length;
          sets.append("ms %s %d\r\n%s\r\n".formatted(key, length, "x".repeat(length)));
          lengths.merge(
              sizes.chunkBytes(sizes.of(SlabSizes.itemBytes(key.length(), length))), 1L, Long::sum);
        }
        server.answers(sets.toString().getBytes(StandardCharsets.US_ASCII));
        SlabUse use = SlabUse.of(stats(server, "stats slabs\r\n"));

        Map<Integer, Long> told = new TreeMap<>();
        for (SlabClass of : use.classes().values()) {
          told.put(of.chunkBytes(), (long) of.pages() * of.chunksPerPage() - of.freeChunks());
        }
        assertThat(told).as(String.join(" ", options)).isEqualTo(lengths);
      }
    }
  }

  private static Map<String, String> stats(MemcachedProcess server, String command) {
    byte[] answers = server.answers(command.getBytes(StandardCharsets.US_ASCII));
    return new String(answers, StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> line.startsWith("STAT "))
        .map(line -> line.split(" ", 3))
        .filter(words -> words.length == 3)
        .collect(Collectors.toMap(words -> words[1], words -> words[2]));
  }

  private static SlabClass large(int pages, int freeChunks) {
    return new SlabClass(21_696, 48, pages, freeChunks);
  }

  /** A server with this memory, 10 MiB of which have a class. */
  private static SlabRoom room(int limitMib, SlabClass... classes) {
    Map<Integer, SlabClass> byNumber = new TreeMap<>();
    int pages = 0;
    for (SlabClass of : classes) {
      byNumber.put(byNumber.size() + 1, of);
      pages += of.pages();
    }
    // the others are of the largest class, which nobody here asks for
    byNumber.put(50, new SlabClass(524_288, 2, 10 - pages, 1));
    return new SlabRoom(SlabSizes.DEFAULT, new SlabUse(10 * MIB, byNumber), limitMib * MIB);
  }
}
