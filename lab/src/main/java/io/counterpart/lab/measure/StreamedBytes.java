package io.counterpart.lab.measure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes that a node received by streaming, by how they came.
 *
 * <p>Counted from what the receiver logs at INFO: a line for each component of an sstable that
 * comes whole, a line for each file of which sections come. Cassandra's counters know only the
 * number of sstables, not their bytes. Sizes in the log have three decimals of their unit. Sections
 * of uncompressed tables are not logged.
 *
 * @param wholeBytes bytes of sstables that came as whole files (zero-copy)
 * @param partialBytes bytes of sstables that were read and rewritten row by row
 * @param wholeSstables sstables that came whole
 * @param partialSstables sstables of which sections came
 */
public record StreamedBytes(
    long wholeBytes, long partialBytes, long wholeSstables, long partialSstables) {
  private static final Pattern WHOLE =
      Pattern.compile(" Writing component (\\S+) to .* length (?<size>[0-9.]+)(?<unit>[KMGT]i)?B$");
  private static final Pattern PARTIAL =
      Pattern.compile(
          "Finished receiving file #\\d+ from .* readBytes = .*,"
              + " totalSize = (?<size>[0-9.]+)(?<unit>[KMGT]i)?B$");
  private static final String DATA = "Data.db";
  private static final String UNITS = "KMGT";

  /** Counts the lines of a log. */
  static StreamedBytes parse(List<String> lines) {
    long whole = 0;
    long partial = 0;
    long wholes = 0;
    long partials = 0;
    for (String line : lines) {
      Matcher inWhole = WHOLE.matcher(line);
      Matcher inPart = PARTIAL.matcher(line);
      if (inWhole.find()) {
        whole += bytes(inWhole);
        wholes += DATA.equals(inWhole.group(1)) ? 1 : 0;
      } else if (inPart.find()) {
        partial += bytes(inPart);
        partials++;
      }
    }
    return new StreamedBytes(whole, partial, wholes, partials);
  }

  private static long bytes(Matcher size) {
    String unit = size.group("unit");
    int power = unit == null ? 0 : UNITS.indexOf(unit.charAt(0)) + 1;
    return Math.round(Double.parseDouble(size.group("size")) * Math.pow(1024, power));
  }
}
