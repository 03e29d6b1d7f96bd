package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Files that were written before recoveries and figures with an upper bound existed. */
class OlderResultTest {
  private static final BlockResult BLOCK =
      LabResultOf.block("lcs", "recover", 0, 100, new SplittableRandom(1))
          .withParts(Map.of(BlockResult.STREAM, 2.5), Map.of(BlockResult.WHOLE, 7L));

  @Test
  void blocks_have_no_recovery() throws IOException {
    BlockResult read = read(BLOCK, BlockResult.class, "secondsByPart", "bytesReceived");

    assertThat(read.secondsByPart()).isEmpty();
    assertThat(read.bytesReceived()).isEmpty();
    assertThat(read.recoverySeconds()).isZero();
    assertThat(read.wholeFraction()).isZero();
  }

  @Test
  void blocks_have_no_counters() throws IOException {
    BlockResult counted = BLOCK.withCounters(Map.of(Counters.BYTES, 500L));

    assertThat(read(counted, BlockResult.class)).isEqualTo(counted);
    assertThat(read(counted, BlockResult.class, "counters").counter(Counters.BYTES)).isZero();
    assertThat(read(counted, BlockResult.class, "counters").bytesPerSecond()).isZero();
  }

  @Test
  void samples_have_no_measures_of_the_memory_tier() throws IOException {
    Sample table = new Sample(1, "lcs", "load", 1000, 2, 3, 4, Map.of());
    Sample tier = Sample.ofTier(1, "echash", "load", 9, Map.of(SampledMeasure.HIT_RATIO, 0.5));

    assertThat(new ResultJson().render(table)).doesNotContain("measures");
    assertThat(read(table, Sample.class)).isEqualTo(table);
    assertThat(read(tier, Sample.class)).isEqualTo(tier);
    assertThat(read(tier, Sample.class, "measures").measures()).isEmpty();
    assertThat(SampledMeasure.of(List.of(table))).isEqualTo(SampledMeasure.OF_TABLES);
    assertThat(SampledMeasure.of(List.of(table, tier))).isEqualTo(SampledMeasure.OF_TIERS);
  }

  @Test
  void figures_are_asked_to_be_at_least_so_much() throws IOException {
    LabFigure figure =
        new LabFigure("f", 1, 1, 1, "ratio", List.of("a"), "small", 2, true, "", "less", true);

    assertThat(read(figure, LabFigure.class, "atMost").atMost()).isFalse();
    assertThat(read(figure, LabFigure.class, "atMost").asked()).isEqualTo(">= 2.00");
  }

  @Test
  void present_ones_keep_what_they_say() throws IOException {
    LabFigure figure =
        new LabFigure("f", 1, 1, 1, "ratio", List.of("a"), "small", 2, true, "", "less", true);

    assertThat(read(BLOCK, BlockResult.class)).isEqualTo(BLOCK);
    assertThat(read(figure, LabFigure.class)).isEqualTo(figure);
  }

  private static <T> T read(T written, Class<T> type, String... without) throws IOException {
    ObjectNode json = (ObjectNode) new ObjectMapper().readTree(new ResultJson().render(written));
    json.remove(List.of(without));
    return new ResultJson().parse(json.toString().getBytes(StandardCharsets.UTF_8), type);
  }
}
