package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * Random requests, most of them valid. Times are never, at once, or years away, so that no answer
 * depends on the second. Numbers have separate keys, because memcached changes a number in place
 * only while no answer holds it. They stay below 2^63, above which memcached looks for a minus even
 * behind the item's end. Keys and opaques stay so short that damage does not make them too long:
 * memcached carries out half of such a command before it refuses it.
 */
public final class PipelineGenerator {

  private static final List<String> EXPTIMES = List.of("0", "0", "2000000000", "-1", "2592001");
  private static final List<String> LENGTH_MISTAKES = List.of("-1", "x", "4294967295", "");
  private static final byte[] DAMAGE = {' ', '\r', '\n', 0, '\t', '-', 'q', 'b', '"', (byte) 0xff};

  private final Random random;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int cas = 1;

  public PipelineGenerator(Random random) {
    this.random = random;
  }

  public byte[] pipeline(int requests) {
    out.reset();
    for (int i = 0; i < requests; i++) {
      request();
    }
    return out.toByteArray();
  }

  /** A copy with some bytes replaced, removed, inserted, or doubled. */
  public byte[] damaged(byte[] bytes) {
    byte[] damaged = bytes;
    for (int i = 1 + random.nextInt(3); i > 0 && damaged.length > 0; i--) {
      int at = random.nextInt(damaged.length);
      int end = Math.min(damaged.length, at + 1 + random.nextInt(6));
      byte other = DAMAGE[random.nextInt(DAMAGE.length)];
      ByteArrayOutputStream copy = new ByteArrayOutputStream();
      copy.write(damaged, 0, at);
      switch (random.nextInt(4)) {
        case 0 -> {
          copy.write(other);
          end = at + 1;
        }
        case 1 -> {
          copy.write(other);
          end = at;
        }
        case 2 -> copy.write(damaged, at, end - at);
        default -> {}
      }
      int from = random.nextInt(4) == 2 ? at : end;
      copy.write(damaged, from, damaged.length - from);
      damaged = copy.toByteArray();
    }
    return damaged;
  }

  private void request() {
    switch (random.nextInt(14)) {
      case 0, 1 -> line(pick("get", "gets"), keys());
      case 2 -> line(pick("gat", "gats"), exptime(), keys());
      case 3, 4 -> store();
      case 5 -> line("delete", key(), pick("", "", "noreply", "0", "1"));
      case 6 -> line(pick("incr", "decr"), counter(), pick("1", "3", "900", "x"), noreply());
      case 7 -> line("touch", key(), exptime(), noreply());
      case 8 -> line("mg", metaKey(), metaFlags(List.of("N2000000000", "R30", "R2100000000")));
      case 9, 10 -> metaSet();
      case 11 -> line("md", metaKey(), metaFlags(List.of("I", casFlag())));
      case 12 -> arithmetic();
      default -> other();
    }
  }

  private void arithmetic() {
    List<String> special = List.of("N0", "J7", "D3", "MD", "MI", "M+", "M-", casFlag(), "MX");
    line("ma", counter(), metaFlags(special));
  }

  private void other() {
    switch (random.nextInt(12)) {
      case 0 -> line("mn");
      case 1 -> line("version");
      case 2 -> line("verbosity", pick("0", "1", "x", ""), noreply());
      case 3 -> line("flush_all", pick("", "", "0", "x"), noreply());
      case 4 -> line(pick("", "bogus", "m", "mx", "gett", "SET"), pick("", "k1"));
      case 5 -> line("cas", key(), "0", "0", "1", "x", noreply());
      case 6 -> line("shutdown");
      case 7 -> line("me", metaKey());
      default -> line("get", key());
    }
  }

  private void store() {
    byte[] value = value();
    String length = random.nextInt(20) == 0 ? pick(LENGTH_MISTAKES) : "" + value.length;
    boolean number = random.nextInt(4) == 0;
    String key = number ? counter() : key();
    String mode = pick("set", "set", "set", "add", "replace", "append", "prepend", "cas");
    String cas = mode.equals("cas") ? nearCas() : "";
    line(mode, key, pick("0", "5", "4294967295"), exptime(), length, cas, noreply());
    data(value);
  }

  private void metaSet() {
    byte[] value = value();
    String length = random.nextInt(30) == 0 ? pick(LENGTH_MISTAKES) : "" + value.length;
    String flags =
        metaFlags(List.of("ME", "MA", "MP", "MR", "MS", "I", "F9", "Fx", casFlag(), "MXX"));
    String key = metaKey();
    boolean base64 = key.endsWith(" b");
    line("ms", base64 ? key.substring(0, key.length() - 2) : key, length, base64 ? "b" : "", flags);
    data(value);
  }

  private String metaFlags(List<String> special) {
    StringBuilder flags = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      flags.append(pick("v", "k", "c", "f", "s", "t", "q", "h", "l", "u", "Oab1", "O")).append(' ');
    }
    if (random.nextInt(3) == 0) {
      flags.append(pick(special)).append(' ');
    }
    if (random.nextInt(6) == 0) {
      flags.append('T').append(exptime()).append(' ');
    }
    if (random.nextInt(40) == 0) {
      flags.append(pick("z", "v v", "C", "O" + "y".repeat(20)));
    }
    return flags.toString().strip();
  }

  /** A likely CAS value of an item: both stores count up. */
  private String nearCas() {
    cas += random.nextInt(3);
    return Integer.toString(random.nextInt(Math.min(cas, 40)) + Math.max(0, cas - 40));
  }

  private String casFlag() {
    return "C" + nearCas();
  }

  private String keys() {
    StringBuilder keys = new StringBuilder(key());
    int more = random.nextInt(20) == 0 ? 30 : random.nextInt(3);
    for (int i = 0; i < more; i++) {
      keys.append(pick(" ", " ", "  ")).append(key());
    }
    return keys.toString();
  }

  private String key() {
    return pick("k1", "k2", "k3", "k4", "\t\u00e9\u0001", "long" + "g".repeat(120));
  }

  private String counter() {
    return pick("n1", "n2", "n3");
  }

  private String metaKey() {
    if (random.nextInt(4) > 0) {
      return key();
    }
    byte[] bytes = {'k', (byte) ('1' + random.nextInt(3)), ' ', '\n'};
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, 2 + random.nextInt(3))) + " b";
  }

  private String exptime() {
    return pick(EXPTIMES);
  }

  private String noreply() {
    return pick("", "", "", "noreply");
  }

  private byte[] value() {
    if (random.nextInt(3) == 0) {
      return pick("0", "9", "10", "99", "4611686018427387904", " 7 ", "7x").getBytes(ISO_8859_1);
    }
    byte[] value = new byte[random.nextInt(50)];
    random.nextBytes(value);
    if (new String(value, ISO_8859_1).matches("[ \\t-\\r]+")) {
      value[0] = 'x'; // memcached looks for a number behind spaces, and finds what an item left
    }
    return value;
  }

  private void data(byte[] value) {
    out.writeBytes(value);
    out.writeBytes((random.nextInt(40) == 0 ? "xx" : "\r\n").getBytes(ISO_8859_1));
  }

  private void line(String... words) {
    String line = String.join(" ", Arrays.stream(words).filter(w -> !w.isEmpty()).toList());
    out.writeBytes((line + (random.nextInt(10) == 0 ? "\n" : "\r\n")).getBytes(ISO_8859_1));
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
