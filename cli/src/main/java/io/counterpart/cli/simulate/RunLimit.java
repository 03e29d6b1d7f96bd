package io.counterpart.cli.simulate;

import io.counterpart.core.runs.RunPolicy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses S: a number of runs or {@code unlimited}. */
final class RunLimit implements ITypeConverter<Integer> {
  static final String UNLIMITED = "unlimited";

  @Override
  public Integer convert(String value) {
    if (value.equalsIgnoreCase(UNLIMITED)) {
      return RunPolicy.UNLIMITED;
    }
    try {
      int runs = Integer.parseInt(value);
      if (runs >= 1) {
        return runs;
      }
    } catch (NumberFormatException e) {
      throw refused(value);
    }
    throw refused(value);
  }

  private static TypeConversionException refused(String value) {
    return new TypeConversionException("'" + value + "', legal: 1 and above, or unlimited");
  }

  static Object json(int runs) {
    return runs == RunPolicy.UNLIMITED ? UNLIMITED : runs;
  }
}
