package io.counterpart.cli.simulate;

import io.counterpart.core.simulator.Storage;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses bytes compacted for a byte flushed: a number above 0 or {@code unlimited}. */
final class Rate implements ITypeConverter<Double> {
  private static final String UNLIMITED = "unlimited";

  @Override
  public Double convert(String value) {
    if (value.equalsIgnoreCase(UNLIMITED)) {
      return Storage.UNLIMITED;
    }
    try {
      return Double.valueOf(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "', legal: above 0, or unlimited");
    }
  }

  static Object json(double rate) {
    return Double.isInfinite(rate) ? UNLIMITED : rate;
  }
}
