package io.counterpart.lab.bench;

import io.counterpart.lab.report.DemoTable;
import io.counterpart.lab.setup.Progress;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Reports the cost of each load as soon as it is measured, and compares it with the first. */
final class FirstComparison {
  private static final double MB = 1e6;

  private final Progress progress;
  private final Map<String, LoadMeasurement> loads = new LinkedHashMap<>();

  FirstComparison(Progress progress) {
    this.progress = progress;
  }

  void loaded(String arm, LoadMeasurement load) {
    progress.say(cost(arm, load));
    loads.forEach((name, first) -> progress.say(ratio(name, first, arm, load)));
    if (loads.isEmpty()) {
      loads.put(arm, load);
    }
  }

  private static String cost(String arm, LoadMeasurement load) {
    return String.format(
        Locale.ROOT,
        "%s: %.0f MB flushed, %.0f MB compacted, %.0f CPU seconds, %.0f writes per second",
        DemoTable.word(arm),
        load.written().bytesFlushed() / MB,
        load.written().bytesCompacted() / MB,
        load.cpuSeconds(),
        load.writesPerSecond());
  }

  private static String ratio(
      String name, LoadMeasurement first, String arm, LoadMeasurement load) {
    return String.format(
        Locale.ROOT,
        "=> %s compacted %.2f times the bytes of %s, with %.2f times the CPU",
        DemoTable.word(name),
        (double) first.written().bytesCompacted() / Math.max(1, load.written().bytesCompacted()),
        DemoTable.word(arm),
        first.cpuSeconds() / Math.max(1e-9, load.cpuSeconds()));
  }
}
