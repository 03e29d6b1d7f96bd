package io.counterpart.cache.coded.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.ServerSettings;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlabUseTest {
  private static final long MIB = 1 << 20;

  @Test
  void takes_the_lines_of_memcached() {
    SlabUse use =
        read(
            """
            12:chunk_size 1184
            12:chunks_per_page 885
            12:total_pages 16
            12:used_chunks 9440
            12:free_chunks 4720
            12:free_chunks_end 0
            active_slabs 1
            total_malloced 16777216
            """);

    assertThat(use)
        .isEqualTo(new SlabUse(16 * MIB, Map.of(12, new SlabUse.SlabClass(1184, 885, 16, 4720))));
  }

  /** memcached 1.6.18 dropped 295 items when a class was asked for a page with 590 free chunks. */
  @ParameterizedTest
  @CsvSource({
    "885, 16, 4720, 5", // a quarter of a page is left
    "885, 16, 1106, 1",
    "885, 16, 1105, 0",
    "885, 16, 590, 0",
    "885, 1, 885, 0", // the last page stays
    "2, 5, 6, 1",
    "2, 5, 5, 0"
  })
  void class_spares_a_page_only_if_its_items_have_room(
      int chunksPerPage, int pages, int freeChunks, int spare) {
    assertThat(new SlabUse.SlabClass(1000, chunksPerPage, pages, freeChunks).sparePages())
        .isEqualTo(spare);
  }

  @Test
  void pages_of_the_pool_and_beyond_are_free() {
    SlabUse use =
        read(
            """
            3:chunk_size 500000
            3:chunks_per_page 2
            3:total_pages 4
            3:free_chunks 8
            7:chunk_size 600000
            7:chunks_per_page 1
            7:total_pages 3
            7:free_chunks 0
            total_malloced 9437184
            """);

    assertThat(use.poolPages(16 * MIB)).as("two of nine have no class").isEqualTo(2 + 7);
    assertThat(use.donor()).isEqualTo(3);
    assertThat(use.poolPages(8 * MIB)).as("each class gets a first page anyway").isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 416",
    "416, 416",
    "417, 928",
    "33000, 65440",
    "1048480, 1048480",
    "1048481, 1048481"
  })
  void journal_items_have_few_lengths(int entryBytes, int itemBytes) {
    assertThat(JournalItemSizes.padded(entryBytes)).isEqualTo(itemBytes);
  }

  @Test
  void reading_a_journal_item_ends_where_its_entries_do() {
    JournalFormat format = new JournalFormat();
    ByteBuf item = Unpooled.buffer();
    format.encode(
        new JournalEntry(
            JournalEntry.Kind.INSERT,
            1,
            2,
            3,
            4,
            5,
            Unpooled.wrappedBuffer(new byte[10]),
            Unpooled.wrappedBuffer(new byte[3])),
        item);
    item.writeZero(JournalItemSizes.padded(item.readableBytes()) - item.readableBytes());

    assertThat(format.decode(item)).isNotNull();
    assertThat(format.decode(item)).isNull();
  }

  @Test
  void reserve_is_for_journals_and_pages_that_are_not_full() {
    assertThat(MemoryBounds.of(1024 * MIB, 16 * MIB))
        .isEqualTo(new MemoryBounds(16 * MIB, 32 * MIB, 42 * MIB));
    assertThat(MemoryBounds.of(64 * MIB, 16 * MIB))
        .isEqualTo(new MemoryBounds(2 * MIB, 4 * MIB, 7 * MIB));
    assertThat(MemoryBounds.of(12 * MIB, 16 * MIB).reservePages(0, 0))
        .as("the first page of each class has room for all journals")
        .isZero();
    assertThat(MemoryBounds.of(16 * MIB, 16 * MIB).reservePages(0, 0)).isEqualTo(4);
    MemoryBounds bounds = MemoryBounds.of(64 * MIB, 16 * MIB);
    assertThat(bounds.reservePages(0, 0)).isEqualTo(7);
    assertThat(bounds.reservePages(3 * MIB, 0)).as("journals are part of it").isEqualTo(4);
    assertThat(bounds.reservePages(0, 4 * MIB)).as("half of their chunks").isEqualTo(5);
    assertThat(bounds.reservePages(4 * MIB, 40 * MIB)).as("two at least").isEqualTo(2);
  }

  @Test
  void server_is_told_which_items_are_needed() {
    ServerSettings settings =
        new ServerSettings(Map.of("maxbytes", "67108864", "item_size_max", "1048576"));

    assertThat(settings.limitBytes()).isEqualTo(64 * MIB);
    assertThat(settings.refusal())
        .isEqualTo("its item_size_max is 1048576 bytes, legal: 1114144 and above, as with -I 2m");
    assertThat(refusal(Map.of("item_size_max", "2097152"))).isNull();
    assertThat(refusal(Map.of("item_size_max", "2097152", "evictions", "on")))
        .isEqualTo("its evictions are on, legal: off, as with -M");
  }

  /** A server that lacks writes could never be emptied. */
  @Test
  void server_that_cannot_be_emptied_is_not_used() {
    assertThat(refusal(Map.of("item_size_max", "2097152", "flush_enabled", "yes"))).isNull();
    assertThat(refusal(Map.of("item_size_max", "2097152", "flush_enabled", "no")))
        .isEqualTo("its flush_all is off, legal: on, as without -F");
  }

  private static @Nullable String refusal(Map<String, String> settings) {
    return new ServerSettings(settings).refusal();
  }

  private static SlabUse read(String lines) {
    return SlabUse.of(
        lines
            .lines()
            .map(line -> line.split(" "))
            .collect(Collectors.toMap(words -> words[0], words -> words[1])));
  }
}
