package io.counterpart.cache.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class FormatsTest {
  private static final byte[] KEY = "user:17".getBytes(UTF_8);
  private static final ByteBuf VALUE = text("value");

  private final RecordFormat records = new RecordFormat();
  private final ParityFormat parities = new ParityFormat();
  private final JournalFormat journals = new JournalFormat();

  @Test
  void a_record_comes_back_from_its_item_and_from_a_slot_with_zeros_after_it() {
    ByteBuf item = record("binary \0 bytes");
    ByteBuf slot = Unpooled.buffer().writeBytes(item.duplicate()).writeZero(40);

    for (ByteBuf stored : List.of(item, slot)) {
      StoredRecord record = records.decode(KEY, stored);

      assertThat(record).isNotNull();
      assertThat(record.value().toString(UTF_8)).isEqualTo("binary \0 bytes");
      assertThat(record.flags()).isEqualTo(0x80000001);
      assertThat(record.has(StoredRecord.TOKEN_SENT)).isTrue();
      assertThat(record.has(StoredRecord.STALE)).isFalse();
      assertThat(record.sequence()).isEqualTo(1L << 63 | 5);
      assertThat(record.cas()).isEqualTo(7);
      assertThat(RecordFormat.lengthBytes(stored)).isEqualTo(item.readableBytes());
    }
  }

  @Test
  void a_record_of_a_format_that_is_not_known_counts_as_erased() {
    ByteBuf item = record("value");
    for (int format = 0; format < 16; format++) {
      item.setByte(15, item.getByte(15) & 0xf0 | format);
      item.setIntLE(0, new Checksum().of(KEY, item, 4, item.readableBytes() - 4));

      assertThat(records.decode(KEY, item) == null).as("format %d", format).isEqualTo(format != 2);
    }
  }

  @Test
  void every_single_damaged_bit_of_a_record_is_noticed() {
    ByteBuf item = record("value");

    for (int bit = 0; bit < item.readableBytes() * 8; bit++) {
      ByteBuf damaged = item.copy();
      damaged.setByte(bit / 8, damaged.getByte(bit / 8) ^ 1 << bit % 8);
      assertThat(records.decode(KEY, damaged)).as("bit %d", bit).isNull();
    }
  }

  @Test
  void a_record_of_another_key_and_a_cut_record_count_as_erased() {
    ByteBuf item = record("value");

    assertThat(records.decode("user:18".getBytes(UTF_8), item)).isNull();
    for (int length = 0; length < item.readableBytes(); length++) {
      assertThat(records.decode(KEY, item.slice(0, length))).isNull();
    }
  }

  @Test
  void an_expiry_is_unsigned_and_zero_is_never() {
    assertThat(new StoredRecord(0, 0, 0, 1, VALUE).isExpired(Long.MAX_VALUE)).isFalse();
    assertThat(new StoredRecord(0, 100, 0, 1, VALUE).isExpired(99)).isFalse();
    assertThat(new StoredRecord(0, 100, 0, 1, VALUE).isExpired(100)).isTrue();
    assertThat(new StoredRecord(0, (int) 4_000_000_000L, 0, 1, VALUE).isExpired(3_999_999_999L))
        .isFalse();
  }

  @Test
  void a_value_above_the_limit_is_refused_with_its_length() {
    ByteBuf large = Unpooled.wrappedBuffer(new byte[RecordFormat.MAX_VALUE_BYTES + 1]);

    assertThatThrownBy(() -> records.encode(KEY, new StoredRecord(0, 0, 0, 1, large)))
        .hasMessage("value of 1048577 bytes: at most 1048576");
  }

  @Test
  void parity_comes_back_or_is_noticed_as_damaged() {
    ByteBuf item = Unpooled.buffer();
    parities.encode(new ParityFormat.Parity(1, 42, 77, text("parity bytes")), item);

    ParityFormat.Parity parity = parities.decode(item);

    assertThat(parity).isNotNull();
    assertThat(parity.parity()).isEqualTo(1);
    assertThat(parity.slots()).isEqualTo(42);
    assertThat(parity.folded()).isEqualTo(77);
    assertThat(ParityFormat.folded(item)).isEqualTo(77);
    assertThat(ParityFormat.folded(text("too short"))).isEqualTo(-1);
    assertThat(parity.bytes()).isEqualTo(text("parity bytes"));
    for (int i = 0; i < item.readableBytes(); i++) {
      ByteBuf damaged = item.copy();
      damaged.setByte(i, damaged.getByte(i) ^ 16);
      assertThat(parities.decode(damaged)).as("byte %d", i).isNull();
    }
    assertThat(parities.decode(item.slice(0, item.readableBytes() - 1))).isNull();
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void entries_come_back_in_order_up_to_the_first_that_is_damaged(Random random) {
    List<JournalEntry> written = new ArrayList<>();
    ByteBuf journal = Unpooled.buffer();
    int[] ends = new int[20];
    for (int i = 0; i < ends.length; i++) {
      JournalEntry entry = entry(random, i);
      written.add(entry);
      journals.encode(entry, journal);
      ends[i] = journal.writerIndex();
    }
    int at = random.nextInt(journal.writerIndex());
    int whole = 0;
    while (ends[whole] <= at) {
      whole++;
    }

    assertThat(read(journal.duplicate())).isEqualTo(written);
    journal.setByte(at, journal.getByte(at) ^ 1);
    ByteBuf damaged = journal.duplicate();
    assertThat(read(damaged)).isEqualTo(written.subList(0, whole));
    assertThat(damaged.readerIndex()).isEqualTo(whole == 0 ? 0 : ends[whole - 1]);
  }

  private List<JournalEntry> read(ByteBuf journal) {
    List<JournalEntry> entries = new ArrayList<>();
    for (JournalEntry e = journals.decode(journal); e != null; e = journals.decode(journal)) {
      entries.add(e);
    }
    return entries;
  }

  private static JournalEntry entry(Random random, int i) {
    JournalEntry.Kind[] kinds = JournalEntry.Kind.values();
    byte[] delta = new byte[random.nextInt(200)];
    random.nextBytes(delta);
    return new JournalEntry(
        kinds[random.nextInt(kinds.length)],
        random.nextInt(),
        random.nextInt(10),
        random.nextInt(128),
        random.nextLong(),
        random.nextLong(),
        Unpooled.wrappedBuffer(delta),
        text("key" + i));
  }

  private ByteBuf record(String value) {
    StoredRecord record =
        new StoredRecord(0x80000001, 100, StoredRecord.TOKEN_SENT, 1L << 63 | 5, 7, text(value));
    return Unpooled.wrappedBuffer(records.encode(KEY, record));
  }

  private static ByteBuf text(String text) {
    return Unpooled.wrappedBuffer(text.getBytes(UTF_8));
  }
}
