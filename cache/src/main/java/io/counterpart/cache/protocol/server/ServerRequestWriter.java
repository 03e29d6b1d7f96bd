package io.counterpart.cache.protocol.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Ascii;
import io.counterpart.cache.protocol.Expiry;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.KeyBase64;
import io.counterpart.cache.protocol.StoreMode;
import io.netty.buffer.ByteBuf;

/**
 * Appends meta commands to a buffer that goes to a memcached server.
 *
 * <pre>
 * writer.get(key).value().cas().end();
 * writer.set(key, bytes.readableBytes()).flags(3).end(bytes);
 * </pre>
 *
 * A key that no line can hold is sent in base64. Commands are answered in order. Each must be
 * ended; one at a time; not thread-safe. Allocates nothing for keys that are text.
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

  /** {@code ms}: writes an item of this length, whose bytes {@link #end(ByteBuf)} gets. */
  public ServerRequestWriter set(Key key, int lengthBytes) {
    checked("length", lengthBytes);
    return begin('s', key, lengthBytes);
  }

  /** {@code md}: deletes an item. */
  public ServerRequestWriter delete(Key key) {
    return begin('d', key, NO_DATA);
  }

  /** {@code ma}: adds to a number, or subtracts from it. */
  public ServerRequestWriter arithmetic(Key key) {
    return begin('a', key, NO_DATA);
  }

  /** {@code me}: returns the properties of an item, without reading it. */
  public ServerRequestWriter debug(Key key) {
    return begin('e', key, NO_DATA);
  }

  /** Classic commands, which are whole by themselves. */
  public ClassicRequestWriter classic() {
    return new ClassicRequestWriter(out);
  }

  /** {@code stats}, plain or for a group. */
  public void stats(String... arguments) {
    line(arguments.length == 0 ? "stats" : "stats " + String.join(" ", arguments));
  }

  /** An operator's command, such as {@code lru mode flat}, that is answered by one line. */
  public void operator(String command) {
    line(command);
  }

  /** {@code flush_all}: deletes all items, at once or after a delay. */
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
    return number('N', checked("exptime", exptime));
  }

  /** Makes {@code mg} choose one client to recompute an item that expires before this exptime. */
  public ServerRequestWriter recache(int exptime) {
    return number('R', checked("exptime", exptime));
  }

  /** Makes {@code md} mark the item as stale; {@code ms} with an older CAS value does so too. */
  public ServerRequestWriter invalidate() {
    return letter('I');
  }

  /** Adds a flag for a proxy, which memcached ignores. */
  public ServerRequestWriter forProxy() {
    return letter('P');
  }

  /** The mode of a store command; {@link StoreMode#CAS} compares a CAS value. */
  public ServerRequestWriter mode(StoreMode mode) {
    letter('M').out.writeByte(mode.letter());
    return this;
  }

  /** Makes {@code ma} subtract instead of add. */
  public ServerRequestWriter decrement() {
    letter('M').out.writeByte('D');
    return this;
  }

  /** The amount that {@code ma} adds or subtracts; 64 unsigned bits. */
  public ServerRequestWriter delta(long delta) {
    return number('D', delta);
  }

  /** Makes {@code ma} store a number if there is none, with this exptime, not negative. */
  public ServerRequestWriter initial(long number, int exptime) {
    return number('J', number).number('N', checked("exptime", exptime));
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
    return number('T', checked("exptime", exptime));
  }

  private static long checked(String what, long number) {
    if (number < 0) {
      throw new IllegalArgumentException(what + " " + number + "; legal: 0 or more");
    }
    return number;
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
   * @throws IllegalArgumentException if its length differs from the announced one
   */
  public void end(ByteBuf value) {
    endPadded(value, 0);
  }

  /**
   * As {@link #end(ByteBuf)}, with zeros after the value up to the announced length.
   *
   * @throws IllegalArgumentException if the value is longer than that
   */
  public void endPadded(ByteBuf value) {
    endPadded(value, dataBytes);
  }

  private void endPadded(ByteBuf value, int mostZeros) {
    int length = value.readableBytes();
    int zeros = dataBytes - length;
    if (zeros < 0 || zeros > mostZeros) {
      throw new IllegalArgumentException(
          "a value of " + length + " bytes; the command announced " + dataBytes);
    }
    endLine();
    out.writeBytes(value, value.readerIndex(), length);
    out.writeZero(zeros);
    Ascii.crlf(out);
  }

  private ServerRequestWriter begin(char command, Key key, int lengthBytes) {
    requireEnded();
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

  private void requireEnded() {
    if (open) {
      throw new IllegalStateException("the command before was not ended");
    }
  }

  private ServerRequestWriter letter(char letter) {
    if (!open) {
      throw new IllegalStateException("no command to give the flag " + letter + " to");
    }
    out.writeByte(' ').writeByte(letter);
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
    requireEnded();
    out.writeCharSequence(line, ISO_8859_1);
    Ascii.crlf(out);
  }
}
