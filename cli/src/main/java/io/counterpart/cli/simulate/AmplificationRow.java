package io.counterpart.cli.simulate;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One bar of DEPART Figure 2, simulated.
 *
 * @param writeAmplification of the uniform layout
 * @param versusNoReplication the same, divided by that of RF 1
 */
record AmplificationRow(long keys, int rf, double writeAmplification, double versusNoReplication) {
  static final String HEADER =
      String.format(Locale.ROOT, "%12s %3s %8s %12s", "keys", "RF", "ampl.", "/ RF 1");

  String text() {
    return String.format(
        Locale.ROOT, "%12d %3d %8.2f %12.2f", keys, rf, writeAmplification, versusNoReplication);
  }

  Map<String, Object> json() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("keys", keys);
    row.put("rf", rf);
    row.put("writeAmplification", writeAmplification);
    row.put("versusNoReplication", versusNoReplication);
    return row;
  }
}
