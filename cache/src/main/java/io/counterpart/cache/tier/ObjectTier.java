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
  /** The result of {@link #readBytes} if only a server knows the size. */
  long UNKNOWN = -1;

  /**
   * Upper bound on the memory of reading a key, outside of the heap and in it: its value, and the
   * memory of decoding it. {@link #UNKNOWN} if only a server knows the size of the value.
   */
  default long readBytes(Key key) {
    return UNKNOWN;
  }

  /**
   * Upper bound on the memory of a change of a key, without the value that is passed in.
   *
   * @param valueBytes length of that value; 0 if there is none
   */
  default long writeBytes(Key key, int valueBytes) {
    return 2L * valueBytes;
  }

  /** Reads an object. */
  void get(Key key, GetOptions options, Consumer<GetOutcome> done);

  /**
   * Reads an object with its expiry and its marks, for a reader that will not recompute it even if
   * it is stale. A tier that cannot read like that tells the reader that it has won the right to.
   */
  default void look(Key key, Consumer<GetOutcome> done) {
    get(key, GetOptions.DETAILS, done);
  }

  /**
   * Reports the properties of an object, without reading it.
   *
   * @param done gets {@code name=value} pairs with spaces between them, in the form of {@code me};
   *     empty if there is no such object
   */
  void inspect(Key key, Consumer<String> done);

  /** Writes an object, according to the command's mode. */
  void store(StoreCommand command, Consumer<WriteOutcome> done);

  /** Deletes an object, or marks it as stale. */
  void delete(DeleteCommand command, Consumer<WriteOutcome> done);

  /** Adds to an object that is a decimal number of 64 unsigned bits, or subtracts from it. */
  void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done);

  /**
   * Reports the servers' statistics of their memory and items, as a sum. The tier's objects are
   * items; so are a scheme's other entries.
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
   * Deletes all objects that exist at a time, as {@code flush_all} of memcached 1.6.18 does.
   *
   * @param delaySeconds as sent: 0 or less for now, a date above 30 days
   */
  void flushAll(int delaySeconds, Consumer<WriteOutcome> done);
}
