package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.run.LabRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BreakOffTest {
  private final PrintWriter err = new PrintWriter(new StringWriter());

  @Test
  void a_whole_run_is_kept_before_the_hook_is_gone(@TempDir Path directory) throws Exception {
    LabRun whole = run(() -> result(Map.of()));
    try (BreakOff breakOff = BreakOff.keeps(new RecordedRun(directory, null), whole, err)) {
      breakOff.run();

      assertThat(StoredRun.read(directory).brokenOff()).isEmpty();
    }
  }

  @Test
  void what_was_measured_before_an_error_is_kept(@TempDir Path directory) throws Exception {
    LabRun failing =
        run(
            () -> {
              throw new OutOfMemoryError("heap");
            });
    try (BreakOff breakOff = BreakOff.keeps(new RecordedRun(directory, null), failing, err)) {
      assertThatThrownBy(breakOff::run).isInstanceOf(OutOfMemoryError.class);
    }

    assertThat(StoredRun.read(directory).brokenOff()).contains("failed: heap");
  }

  private static LabRun run(Supplier<LabResult> body) {
    return new LabRun() {
      @Override
      public LabResult run() {
        return body.get();
      }

      @Override
      public LabResult brokenOff(String reason) {
        return result(Map.of(LabResult.BROKEN_OFF, reason));
      }
    };
  }

  private static LabResult result(Map<String, Object> config) {
    BlockResult block =
        new BlockResult("lcs", "read", 0, 10, 0, 1, Map.of(), NodeCost.ofCpu(Duration.ZERO));
    return new LabResult(
        LabResult.SCHEMA,
        "depart-exp1",
        "",
        "",
        "smoke",
        config,
        List.of(block),
        List.of(),
        List.of(),
        1,
        0,
        0,
        0,
        1);
  }
}
