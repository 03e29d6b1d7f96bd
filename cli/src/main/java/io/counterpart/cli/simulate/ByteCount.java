package io.counterpart.cli.simulate;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a size in the syntax of Cassandra's options: {@code 160MiB}, or plain bytes. */
final class ByteCount implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(b|kib|mib|gib)?");
  private static final Map<String, Integer> SHIFTS =
      Map.of("b", 0, "kib", 10, "mib", 20, "gib", 30);

  @Override
  public Long convert(String value) {
    Matcher parts = FORM.matcher(value.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new TypeConversionException(
          "'" + value + "', legal: a whole number with an optional unit B, KiB, MiB or GiB");
    }
    String unit = parts.group(2) == null ? "b" : parts.group(2);
    return multiply(value, Long.parseLong(parts.group(1)), SHIFTS.getOrDefault(unit, 0));
  }

  private static long multiply(String value, long number, int shift) {
    try {
      return Math.multiplyExact(number, 1L << shift);
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + value + "', legal: below 2^63 bytes");
    }
  }
}
