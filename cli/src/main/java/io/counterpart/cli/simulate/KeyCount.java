package io.counterpart.cli.simulate;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a count with a decimal suffix: {@code 600M} is 600,000,000. */
final class KeyCount implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMG]?)");
  private static final Map<String, Long> UNITS =
      Map.of("", 1L, "K", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);

  @Override
  public Long convert(String value) {
    Matcher parts = FORM.matcher(value.toUpperCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new TypeConversionException(
          "'" + value + "', legal: a number with an optional suffix K, M or G, such as 600M");
    }
    long unit = UNITS.getOrDefault(parts.group(2), 1L);
    try {
      return new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit)).longValueExact();
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + value + "', legal: a whole number below 2^63");
    }
  }
}
