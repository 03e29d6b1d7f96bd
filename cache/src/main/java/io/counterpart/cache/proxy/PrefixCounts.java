package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts of classic commands by the prefix of their keys, which ends at a colon, as memcached
 * counts them while {@code stats detail on} is in force. The first {@value #MOST_PREFIXES} prefixes
 * are counted. Thread-safe.
 */
final class PrefixCounts {
  private static final int MOST_PREFIXES = 1_000;
  private static final byte DELIMITER = ':';

  private final Map<String, Counts> counts = new LinkedHashMap<>();
  private volatile boolean isOn;

  private static final class Counts {
    private long reads;
    private long hits;
    private long writes;
    private long deletions;

    void hit() {
      reads++;
      hits++;
    }

    void miss() {
      reads++;
    }
  }

  boolean isOn() {
    return isOn;
  }

  void turn(boolean on) {
    isOn = on;
  }

  void read(Key key, boolean isHit) {
    change(key, isHit ? Counts::hit : Counts::miss);
  }

  void written(Key key) {
    change(key, of -> of.writes++);
  }

  void deleted(Key key) {
    change(key, of -> of.deletions++);
  }

  private void change(Key key, Consumer<Counts> change) {
    if (!isOn) {
      return;
    }
    synchronized (counts) {
      Counts of = of(key);
      if (of != null) {
        change.accept(of);
      }
    }
  }

  private @Nullable Counts of(Key key) {
    byte[] bytes = key.bytes();
    int length = 0;
    while (length < bytes.length && bytes[length] != DELIMITER) {
      length++;
    }
    if (length == bytes.length) {
      return null;
    }
    String prefix = new String(bytes, 0, length, ISO_8859_1);
    Counts known = counts.get(prefix);
    if (known == null && counts.size() < MOST_PREFIXES) {
      known = new Counts();
      counts.put(prefix, known);
    }
    return known;
  }

  void clear() {
    synchronized (counts) {
      counts.clear();
    }
  }

  /** Answers {@code stats detail dump}. */
  void writeTo(ByteBuf out) {
    synchronized (counts) {
      counts.forEach(
          (prefix, of) ->
              out.writeCharSequence(
                  "PREFIX %s get %d hit %d set %d del %d\r\n"
                      .formatted(prefix, of.reads, of.hits, of.writes, of.deletions),
                  ISO_8859_1));
    }
    Answer.END.writeTo(out);
  }
}
