package io.counterpart.cache.coded.stripe;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.format.StoredRecord;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Journal entries of an object that emptying moved to its slot together with its old record. */
class SlotChainTest {
  private static final byte[] KEY = {'k'};
  private static final byte[] NOTHING = Xor.nothing();
  private static final byte[] OLD = record(5, "old");
  private static final byte[] NEW = record(20, "newer");

  private final SlotChain chain = new SlotChain();

  @Test
  void an_update_leads_back_to_the_insert_of_a_record_that_is_older_than_it() {
    chain.add(entry(Kind.INSERT, 10, 0, Xor.nothing(), OLD));
    chain.add(entry(Kind.UPDATE, 20, 5, OLD, NEW));

    assertThat(chain.deltaAbove(0)).startsWith(NEW);
    assertThat(chain.deltaAbove(10)).isEqualTo(Xor.of(OLD, NEW));
    assertThat(chain.content(null)).startsWith(NEW);
  }

  @Test
  void an_object_that_comes_back_is_found_by_its_last_insert() {
    chain.add(entry(Kind.INSERT, 5, 0, Xor.nothing(), OLD));
    chain.add(entry(Kind.FREE, 8, 5, OLD, Xor.nothing()));
    chain.add(entry(Kind.INSERT, 10, 0, Xor.nothing(), OLD));
    chain.add(entry(Kind.UPDATE, 20, 5, OLD, NEW));

    assertThat(chain.chain()).extracting(SlotChain.Entry::sequence).containsExactly(10L, 20L);
    assertThat(chain.deltaAbove(8)).startsWith(NEW);
  }

  @Test
  void the_record_that_was_moved_is_what_the_update_began_with() {
    chain.add(entry(Kind.UPDATE, 20, 5, OLD, NEW));

    assertThat(chain.content(OLD)).startsWith(NEW);
    assertThat(chain.content(null)).isNull();
  }

  /** The record's upper bytes are zeros, as in a young tier. */
  @Test
  void an_empty_object_is_found_by_its_short_record() {
    byte[] empty = record(5, "");
    byte[] delta = Arrays.copyOf(empty, 17); // without the zeros at its end
    chain.add(new SlotChain.Entry(Kind.INSERT, 10, 0, delta, KEY));
    chain.add(entry(Kind.FREE, 20, 5, empty, Xor.nothing()));

    assertThat(chain.chain()).hasSize(2);
  }

  @Test
  void a_record_whose_expiry_alone_has_changed_keeps_its_token() {
    byte[] before = record(5, "a longer value");
    byte[] touched =
        encode(
            new StoredRecord(0, 99, 0, 20, 5, Unpooled.copiedBuffer("a longer value", US_ASCII)));
    chain.add(entry(Kind.UPDATE, 20, 5, before, touched));

    byte[] completed = RecordBytes.cut(chain.content(before));

    assertThat(completed).isEqualTo(touched);
    assertThat(RecordBytes.cas(completed)).isEqualTo(5);
    assertThat(RecordBytes.cut(Arrays.copyOf(before, 64))).isEqualTo(before);
    assertThat(chain.content(touched)).startsWith(touched);
  }

  @Test
  void an_insert_that_is_given_up_takes_earlier_ones_along() {
    chain.add(entry(Kind.INSERT, 10, 0, NOTHING, record(10, "a")));
    chain.add(entry(Kind.INSERT, 20, 0, NOTHING, record(20, "b")));

    assertThat(chain.giveUp()).isTrue();
  }

  @Test
  void an_insert_that_is_given_up_leaves_what_made_the_slot_free() {
    chain.add(entry(Kind.FREE, 5, 4, record(4, "before"), NOTHING));
    chain.add(entry(Kind.INSERT, 10, 0, NOTHING, record(10, "a")));
    chain.add(entry(Kind.INSERT, 20, 0, NOTHING, record(20, "b")));

    assertThat(chain.giveUp()).isFalse();
    assertThat(chain.last().sequence()).isEqualTo(5);
    assertThat(chain.deltaAbove(4)).isEqualTo(record(4, "before"));
  }

  @Test
  void an_insert_that_was_taken_back_changes_nothing() {
    chain.add(entry(Kind.INSERT, 10, 0, NOTHING, record(10, "refused")));
    chain.add(entry(Kind.FREE, 11, 10, record(10, "refused"), NOTHING));
    chain.add(entry(Kind.INSERT, 20, 0, NOTHING, record(20, "b")));

    assertThat(chain.deltaAbove(9)).startsWith(record(20, "b"));
    assertThat(chain.giveUp()).isFalse();
    assertThat(chain.deltaAbove(9)).containsOnly(0);
  }

  private static SlotChain.Entry entry(
      Kind kind, long sequence, long previous, byte[] from, byte[] to) {
    return new SlotChain.Entry(kind, sequence, previous, Xor.of(from, to), KEY);
  }

  private static byte[] record(long sequence, String value) {
    return encode(
        new StoredRecord(0, 0, 0, sequence, Unpooled.wrappedBuffer(value.getBytes(US_ASCII))));
  }

  private static byte[] encode(StoredRecord record) {
    return new RecordFormat().encode(KEY, record);
  }
}
