package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabResultJsonTest {
  private final ResultJson json = new ResultJson();

  @Test
  void keeps_breakdowns_in_their_order_and_curves() throws IOException {
    Map<String, Double> breakdown = new LinkedHashMap<>();
    breakdown.put("memtable", 1.5);
    breakdown.put("data", 0.25);
    breakdown.put("align", 3.0);
    LabResult result = withMore(breakdown);

    LabResult read = json.parse(bytes(json.render(result)), LabResult.class);

    assertThat(read).isEqualTo(result);
    assertThat(read.blocks().get(0).breakdown().keySet())
        .containsExactly("memtable", "data", "align");
  }

  @Test
  void reads_files_that_are_older_than_breakdowns_and_curves() throws IOException {
    LabResult result = LabResultOf.blocks(2, 200, 1);
    ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(json.render(result));
    tree.remove("series");
    tree.get("blocks").forEach(block -> ((ObjectNode) block).remove("breakdown"));

    LabResult read = json.parse(bytes(tree.toString()), LabResult.class);

    assertThat(read.series()).isEmpty();
    assertThat(read.blocks()).allSatisfy(block -> assertThat(block.breakdown()).isEmpty());
    assertThat(read.blocks()).isEqualTo(result.blocks());
  }

  private static LabResult withMore(Map<String, Double> breakdown) {
    LabResult plain = LabResultOf.blocks(1, 200, 1);
    BlockResult block = plain.blocks().get(0);
    BlockResult profiled =
        new BlockResult(
            block.arm(),
            block.phase(),
            block.repeat(),
            block.operations(),
            block.failed(),
            block.seconds(),
            block.latencies(),
            block.server(),
            breakdown);
    return new LabResult(
        plain.schema(),
        plain.experiment(),
        plain.paper(),
        plain.title(),
        plain.scale(),
        plain.config(),
        List.of(profiled),
        plain.samples(),
        plain.figures(),
        plain.checked(),
        plain.lost(),
        plain.wrong(),
        plain.unread(),
        plain.seconds(),
        List.of(
            new Series(
                "id",
                "Title",
                "line",
                Series.Source.PAPER,
                "x",
                "y",
                List.of(new Series.Point(1, 6.5)))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
