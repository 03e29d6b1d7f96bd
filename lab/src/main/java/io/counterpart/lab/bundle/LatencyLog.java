package io.counterpart.lab.bundle;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The raw latencies of a run in HdrHistogram's log format (version 1.3), which its usual tools
 * read: one line for each block and kind of operation, tagged {@code phase/arm/kind}, values in
 * microseconds.
 */
final class LatencyLog {
  /** The log's column of the slowest value is in milliseconds by custom. */
  private static final double MICROS_PER_MILLI = 1000;

  private LatencyLog() {}

  static void write(Path file, List<BlockResult> blocks) throws IOException {
    WholeFile.write(file, out -> write(out, blocks));
  }

  private static void write(OutputStream out, List<BlockResult> blocks) throws IOException {
    PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8);
    HistogramLogWriter log = new HistogramLogWriter(print);
    log.outputComment("[Counterpart: values in microseconds; tags are phase/arm/kind]");
    log.outputComment("[times: seconds of the blocks laid end to end, pauses left out]");
    log.outputLogFormatVersion();
    log.outputLegend();
    double start = 0;
    for (BlockResult block : blocks) {
      double end = start + block.seconds();
      for (Map.Entry<String, LatencySummary> kind : block.latencies().entrySet()) {
        Histogram micros = kind.getValue().decode();
        micros.setTag(String.join("/", block.phase(), block.arm(), kind.getKey()));
        log.outputIntervalHistogram(start, end, micros, MICROS_PER_MILLI);
      }
      start = end;
    }
    // a full disk is met here only: neither the log nor the stream throws
    if (print.checkError()) {
      throw new IOException("the latency log could not be written: is the disk full?");
    }
  }
}
