package io.counterpart.cache.protocol.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Ascii;
import io.counterpart.cache.protocol.Expiry;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.KeyBase64;
import io.counterpart.cache.protocol.StoreMode;
import io.netty.buffer.ByteBuf;

/**
 * Appends meta commands, and a few others, to a buffer that goes to a memcached server.
 *
 * <pre>
 * writer.get(key).value().cas().opaque(7).end();
 * writer.set(key, bytes.readableBytes()).flags(3).quiet().end(bytes);
 * </pre>
 *
 * A key that no line can hold is sent in base64. A command without {@link #opaque} is answered in
 * order, a quiet one perhaps not at all: {@link #noop} tells how far a server is. Each command must
 * be ended; one at a time; not thread-safe. Allocates nothing for keys that are text.
 */
public final class ServerRequestWriter {

  private static final int NO_DATA = -1;

  private final ByteBuf out;
  private boolean open;
  private int dataBytes = NO_DATA;

  /** A writer that appends to {@code out}, which stays the caller's. */
  public ServerRequestWriter(ByteBuf out) {
    this.out = out;
  }

  /** {@code mg}: reads an item. */
  public ServerRequestWriter get(Key key) {
    return begin('g', key, NO_DATA);
  }

  /** {@code ms}: writes an item; {@link #end(ByteBuf)} must get as many bytes. */
  public ServerRequestWriter set(Key key, int lengthBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException("a value of " + lengthBytes + " bytes; legal: 0 or more");
    }
    return begin('s', key, lengthBytes);
  }

  /** {@code md}: deletes an item. */
  public ServerRequestWriter delete(Key key) {
    return begin('d', key, NO_DATA);
  }

  /** {@code ma}: adds to or takes from a number. */
  public ServerRequestWriter arithmetic(Key key) {
    return begin('a', key, NO_DATA);
  }

  /** {@code me}: what is known of an item, without reading it. */
  public ServerRequestWriter debug(Key key) {
    return begin('e', key, NO_DATA);
  }

  /**
   * {@code gets}: reads an item with its CAS value as a client of classic commands does, who is
   * never told to compute a stale value anew. Not to be ended.
   *
   * @throws IllegalArgumentException if the key is no text
   */
  public void classicGet(Key key) {
    beginClassic("gets ");
    classicKey(key);
    Ascii.crlf(out);
  }

  /** {@code gats}: the same, with a new exptime as classic clients send it. */
  public void classicGet(Key key, int exptime) {
    beginClassic("gats ");
    out.writeCharSequence(Integer.toString(exptime), ISO_8859_1);
    out.writeByte(' ');
    classicKey(key);
    Ascii.crlf(out);
  }

  /** {@code touch}: the same, without reading. */
  public void classicTouch(Key key, int exptime) {
    beginClassic("touch ");
    classicKey(key);
    out.writeByte(' ');
    out.writeCharSequence(Integer.toString(exptime), ISO_8859_1);
    Ascii.crlf(out);
  }

  private void beginClassic(String word) {
    if (open) {
      throw new IllegalStateException("the command before was not ended");
    }
    out.writeCharSequence(word, ISO_8859_1);
  }

  private void classicKey(Key key) {
    if (!key.isText()) {
      throw new IllegalArgumentException("a key that is no text; legal: text");
    }
    key.writeTo(out);
  }

  /** {@code mn}: is answered when all before it is done. */
  public void noop() {
    line("mn");
  }

  /** {@code version}. */
  public void version() {
    line("version");
  }

  /** {@code stats}, or a group of them. */
  public void stats(String... arguments) {
    line(arguments.length == 0 ? "stats" : "stats " + String.join(" ", arguments));
  }

  /** {@code lru mode flat}: keeps items of a size in one list that nothing reorders. */
  public void flatLru() {
    line("lru mode flat");
  }

  /** {@code slabs automove 0}: pages stay with their class until one is asked for. */
  public void noSlabAutomove() {
    line("slabs automove 0");
  }

  /** {@code slabs reassign}: a page of a class goes to the pool that every class takes from. */
  public void reassignSlab(int slabClass) {
    line("slabs reassign " + slabClass + " 0");
  }

  /** {@code flush_all}: forgets all items, at once or in so many seconds. */
  public void flushAll(int delaySeconds) {
    line(delaySeconds == 0 ? "flush_all" : "flush_all " + delaySeconds);
  }

  /** Asks for the value. */
  public ServerRequestWriter value() {
    return letter('v');
  }

  /** Asks for the CAS value; of {@code ms}, for the new one. */
  public ServerRequestWriter cas() {
    return letter('c');
  }

  /** Asks for the client flags. */
  public ServerRequestWriter clientFlags() {
    return letter('f');
  }

  /** Asks for the value's length. */
  public ServerRequestWriter size() {
    return letter('s');
  }

  /** Asks for the seconds until the item expires. */
  public ServerRequestWriter ttl() {
    return letter('t');
  }

  /** Asks for the seconds since the item was last read or written. */
  public ServerRequestWriter idle() {
    return letter('l');
  }

  /** Asks whether the item was read since it was written. */
  public ServerRequestWriter fetched() {
    return letter('h');
  }

  /** Makes {@code mg} store an empty item with this exptime, not negative, if there is none. */
  public ServerRequestWriter vivify(int exptime) {
    return number('N', checkedExptime(exptime));
  }

  /** Makes {@code mg} ask one client to compute an item anew that expires before this exptime. */
  public ServerRequestWriter recache(int exptime) {
    return number('R', checkedExptime(exptime));
  }

  /** Makes {@code md} mark the item as stale; {@code ms} with an older CAS value does so too. */
  public ServerRequestWriter invalidate() {
    return letter('I');
  }

  /** Asks for the key. */
  public ServerRequestWriter key() {
    return letter('k');
  }

  /** Asks for no answer if all is as usual: a miss of {@code mg}, else a success. */
  public ServerRequestWriter quiet() {
    return letter('q');
  }

  /** Tells something to a proxy; memcached ignores the flag. */
  public ServerRequestWriter forProxy() {
    return letter('P');
  }

  /** A number, not negative, that comes back with the answer. */
  public ServerRequestWriter opaque(long opaque) {
    if (opaque < 0) {
      throw new IllegalArgumentException("opaque " + opaque + "; legal: 0 or more");
    }
    return number('O', opaque);
  }

  /** What a store command does with what is there; {@link StoreMode#CAS} goes by a CAS value. */
  public ServerRequestWriter mode(StoreMode mode) {
    return letter('M').append(mode.letter());
  }

  /** Makes {@code ma} take away instead of add. */
  public ServerRequestWriter decrement() {
    return letter('M').append('D');
  }

  /** How much {@code ma} adds or takes away; 64 unsigned bits. */
  public ServerRequestWriter delta(long delta) {
    return number('D', delta);
  }

  /** Makes {@code ma} store a number if there is none, with this exptime, not negative. */
  public ServerRequestWriter initial(long number, int exptime) {
    return number('J', number).number('N', checkedExptime(exptime));
  }

  /** Only if the item has this CAS value. */
  public ServerRequestWriter compareCas(long cas) {
    return number('C', cas);
  }

  /** The client flags to store, 32 unsigned bits. */
  public ServerRequestWriter flags(int flags) {
    return number('F', flags & 0xffffffffL);
  }

  /** The new exptime as on the wire, not negative; see {@link Expiry}. */
  public ServerRequestWriter exptime(int exptime) {
    return number('T', checkedExptime(exptime));
  }

  private static int checkedExptime(int exptime) {
    if (exptime < 0) {
      throw new IllegalArgumentException("exptime " + exptime + "; legal: 0 or more");
    }
    return exptime;
  }

  /** Ends a command without a value. */
  public void end() {
    if (dataBytes != NO_DATA) {
      throw new IllegalStateException("a value of " + dataBytes + " bytes must end the command");
    }
    endLine();
  }

  /**
   * Ends {@link #set} with the value, which is copied and neither changed nor released.
   *
   * @throws IllegalArgumentException if it is not as long as was said
   */
  public void end(ByteBuf value) {
    int length = value.readableBytes();
    if (length != dataBytes) {
      throw new IllegalArgumentException(
          "a value of " + length + " bytes; the command announced " + dataBytes);
    }
    endLine();
    out.writeBytes(value, value.readerIndex(), length);
    Ascii.crlf(out);
  }

  private ServerRequestWriter begin(char command, Key key, int lengthBytes) {
    if (open) {
      throw new IllegalStateException("the command before was not ended");
    }
    boolean text = key.isText();
    int wireBytes = text ? key.lengthBytes() : KeyBase64.encodedLength(key.lengthBytes());
    if (wireBytes > Key.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a key of " + wireBytes + " bytes in base64; legal: up to " + Key.MAX_BYTES);
    }
    open = true;
    dataBytes = lengthBytes;
    out.writeByte('m').writeByte(command).writeByte(' ');
    if (text) {
      key.writeTo(out);
    } else {
      KeyBase64.write(out, key);
    }
    if (lengthBytes != NO_DATA) {
      out.writeByte(' ');
      Ascii.unsigned(out, lengthBytes);
    }
    return text ? this : letter('b');
  }

  private ServerRequestWriter letter(char letter) {
    if (!open) {
      throw new IllegalStateException("no command to give the flag " + letter + " to");
    }
    out.writeByte(' ').writeByte(letter);
    return this;
  }

  private ServerRequestWriter append(char letter) {
    out.writeByte(letter);
    return this;
  }

  private ServerRequestWriter number(char letter, long number) {
    letter(letter);
    Ascii.unsigned(out, number);
    return this;
  }

  private void endLine() {
    if (!open) {
      throw new IllegalStateException("no command to end");
    }
    open = false;
    dataBytes = NO_DATA;
    Ascii.crlf(out);
  }

  private void line(String line) {
    if (open) {
      throw new IllegalStateException("the command before was not ended");
    }
    out.writeCharSequence(line, ISO_8859_1);
    Ascii.crlf(out);
  }
}
