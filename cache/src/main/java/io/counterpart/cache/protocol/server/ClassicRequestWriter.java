package io.counterpart.cache.protocol.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Ascii;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;

/**
 * Appends classic commands, which read an item for a client that is never chosen to recompute a
 * stale value. Keys must be text. Exptimes are as clients send them. Not thread-safe.
 */
public final class ClassicRequestWriter {
  private final ByteBuf out;

  ClassicRequestWriter(ByteBuf out) {
    this.out = out;
  }

  /** {@code gets}: reads an item with its CAS value. */
  public void get(Key key) {
    word("gets ");
    key(key);
    Ascii.crlf(out);
  }

  /** {@code gats}: the same, and gives it another exptime. */
  public void get(Key key, int exptime) {
    word("gats " + exptime + " ");
    key(key);
    Ascii.crlf(out);
  }

  /** {@code touch}: gives an item another exptime. */
  public void touch(Key key, int exptime) {
    word("touch ");
    key(key);
    word(" " + exptime);
    Ascii.crlf(out);
  }

  private void word(String word) {
    out.writeCharSequence(word, ISO_8859_1);
  }

  private void key(Key key) {
    if (!key.isText()) {
      throw new IllegalArgumentException("a key that is no text; legal: text");
    }
    key.writeTo(out);
  }
}
