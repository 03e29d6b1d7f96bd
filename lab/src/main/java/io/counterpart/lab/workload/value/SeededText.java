package io.counterpart.lab.workload.value;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.stream.Stream;

/**
 * Appends text from a seed to a value, and cuts it off where the value is full. Words are chosen
 * with the frequency of 1 ÷ rank, as in natural text. Not thread-safe.
 */
final class SeededText {
  private static final byte[][] WORDS =
      bytes(
          "the of and to in is for that with on as are by be from this it was at or an have not"
              + " which can all their more when one other has will than been there only each into"
              + " between order price customer delivery address payment status warehouse item quantity"
              + " shipped pending returned invoice discount account total number product category"
              + " available report market service region quarter revenue supplier contract request"
              + " answer network storage replica cluster latency throughput sensor temperature"
              + " pressure voltage engine station platform river mountain harbour garden winter summer"
              + " morning evening yesterday tomorrow always never often seldom quickly slowly north"
              + " south east west letter paper window kitchen library museum theatre journey ticket"
              + " passenger luggage airport railway bridge tunnel castle village meadow forest orchard"
              + " copper silver timber cotton leather velvet marble granite crystal lantern candle"
              + " whisper thunder lightning shadow mirror compass anchor rudder vessel captain sailor");

  private final ByteBuffer value;
  private long state;

  SeededText(ByteBuffer value, long state) {
    this.value = value;
    this.state = state;
  }

  private static byte[][] bytes(String words) {
    return Stream.of(words.split(" ")).map(word -> word.getBytes(US_ASCII)).toArray(byte[][]::new);
  }

  boolean isFull() {
    return !value.hasRemaining();
  }

  /** A number from 0 to {@code bound - 1}. */
  int next(int bound) {
    state += Mix.GOLDEN;
    return (int) ((Mix.mix(state) >>> 33) % bound);
  }

  SeededText put(byte[] text) {
    value.put(text, 0, Math.min(text.length, value.remaining()));
    return this;
  }

  SeededText put(String text) {
    return put(text.getBytes(US_ASCII));
  }

  /** Frequent words come first: the rank is the product of two even choices. */
  SeededText word() {
    int rank = (int) ((long) next(WORDS.length) * next(WORDS.length) / WORDS.length);
    return put(WORDS[rank]);
  }

  SeededText words(int count) {
    for (int i = 0; i < count; i++) {
      (i == 0 ? this : put(" ")).word();
    }
    return this;
  }

  SeededText sentence() {
    return words(6 + next(10)).put(". ");
  }
}
