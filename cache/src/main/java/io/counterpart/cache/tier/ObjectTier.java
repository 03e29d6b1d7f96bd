package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The operations on the objects of one shard. Operations on a key take effect in the order of the
 * calls. Exptimes have the form of the wire protocol, see {@link
 * io.counterpart.cache.protocol.Expiry}.
 *
 * <p>Belongs to the shard's event loop: it is called there and answers there, each call exactly
 * once, perhaps before it returns. The caller keeps a value that it passes in and does not change
 * it before the answer; the receiver of a returned value releases it once.
 */
public interface ObjectTier {
  /** What {@link #readBytes} tells where only a server knows. */
  long UNKNOWN = -1;

  /**
   * The most memory that a read of a key takes, outside of the heap and in it: its value, and what
   * decodes it. {@link #UNKNOWN} where only a server knows how large the value is.
   */
  default long readBytes(Key key) {
    return UNKNOWN;
  }

  /**
   * The most memory that a change of a key takes beside the value that is handed in.
   *
   * @param valueBytes length of that value; 0 if there is none
   */
  default long writeBytes(Key key, int valueBytes) {
    return 2L * valueBytes;
  }

  /** Reads an object. */
  void get(Key key, GetOptions options, Consumer<GetOutcome> done);

  /**
   * Reads an object with its expiry and its marks, for somebody who will not compute it anew though
   * it is stale. A tier that cannot read like that tells the reader that it has won the right to.
   */
  default void look(Key key, Consumer<GetOutcome> done) {
    get(key, GetOptions.DETAILS, done);
  }

  /**
   * Tells what is known of an object, without reading it.
   *
   * @param done gets {@code name=value} pairs with spaces between them, as {@code me} has them;
   *     empty if there is no such object
   */
  void inspect(Key key, Consumer<String> done);

  /** Writes an object, as its mode says. */
  void store(StoreCommand command, Consumer<WriteOutcome> done);

  /** Deletes an object, or marks it as stale. */
  void delete(DeleteCommand command, Consumer<WriteOutcome> done);

  /** Adds to, or takes from, an object that is a decimal number of 64 unsigned bits. */
  void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done);

  /**
   * Tells what the servers tell of their memory and of the items there, all together. Objects of
   * the tier are items; so is what a scheme has beside them.
   *
   * @param group of memcached's {@code stats}: {@code items}, {@code slabs}, or empty for the plain
   *     ones, where {@code curr_items} are objects
   * @param done gets numbers by memcached's names for them, in their order; empty if nothing is
   *     known
   */
  default void statistics(String group, Consumer<Map<String, Long>> done) {
    done.accept(Map.of());
  }

  /**
   * Forgets all objects that are there at a time, as {@code flush_all} of memcached 1.6.18 does.
   *
   * @param delaySeconds as sent: 0 or less for now, a date above 30 days
   */
  void flushAll(int delaySeconds, Consumer<WriteOutcome> done);
}
