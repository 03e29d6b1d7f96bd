package io.counterpart.lab.bundle;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The files of a run's directory. Each is written atomically. */
public final class ResultFolder {
  /** The whole result. */
  static final String RESULT = "result.json";

  private static final String FIGURES = "figures.json";
  private static final String LATENCIES = "latencies.hlog";

  private ResultFolder() {}

  /** Writes a result into a folder, which is made; files of the same names are replaced. */
  public static void write(Path folder, LabResult result) throws IOException {
    ResultJson json = new ResultJson();
    json.write(folder.resolve(RESULT), result);
    json.write(folder.resolve(FIGURES), Map.of("figures", result.figures()));
    LatencyLog.write(folder.resolve(LATENCIES), result.blocks());
  }
}
