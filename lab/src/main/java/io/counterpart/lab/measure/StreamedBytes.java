package io.counterpart.lab.measure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes that a node received by streaming, by how they came.
 *
 * <p>Counted from the receiver's log, where Cassandra's two stream readers write one line per
 * sstable with its size; its counters know only the number of sstables, not their bytes. Sizes in
 * the log have three decimals of their unit.
 *
 * @param wholeBytes bytes of sstables that came as whole files (zero-copy)
 * @param partialBytes bytes of sstables that were read and rewritten row by row
 * @param wholeSstables sstables that came whole
 * @param partialSstables sstables of which sections came
 */
public record StreamedBytes(
    long wholeBytes, long partialBytes, long wholeSstables, long partialSstables) {
  private static final Pattern WHOLE =
      Pattern.compile("Started receiving sstable #\\d+ from .*, size = ([0-9.]+)([KMGT]i)?B, ");
  private static final Pattern PARTIAL =
      Pattern.compile(
          "Finished receiving file #\\d+ from .* readBytes = .*, totalSize = ([0-9.]+)([KMGT]i)?B");
  private static final String UNITS = "KMGT";

  /** Counts the lines of a log at level DEBUG for {@code org.apache.cassandra.db.streaming}. */
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
        wholes++;
      } else if (inPart.find()) {
        partial += bytes(inPart);
        partials++;
      }
    }
    return new StreamedBytes(whole, partial, wholes, partials);
  }

  /** Share of bytes that came as whole files, 0 to 1; 0 if nothing came. */
  public double wholeFraction() {
    long all = wholeBytes + partialBytes;
    return all == 0 ? 0 : (double) wholeBytes / all;
  }

  private static long bytes(Matcher size) {
    String unit = size.group(2);
    int power = unit == null ? 0 : UNITS.indexOf(unit.charAt(0)) + 1;
    return Math.round(Double.parseDouble(size.group(1)) * Math.pow(1024, power));
  }
}
