package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenPlanTest {

  @ParameterizedTest
  @CsvSource({"3,2,2,3", "4,3,2,6", "5,3,3,5", "4,2,3,2", "3,3,1,4"})
  void tokens_that_were_planned_show_their_quotas(int copies, int writes, int reads, int servers) {
    EngineQuotas quotas = EngineQuotas.of(copies, writes, reads);
    List<EngineClass> ring = ring(EngineTokens.plan(servers, quotas, 4));

    assertThat(TokenPlan.of(ring)).contains(quotas);
    assertThat(TokenPlan.warning("dc1", copies, ring)).isEmpty();
    assertThat(TokenPlan.warning("dc1", copies - 1, ring))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith(
                        "dc1: %d copies (N), legal: %d, for".formatted(copies - 1, copies)));
  }

  private static List<EngineClass> ring(Map<EngineClass, List<List<Long>>> planned) {
    Map<Long, EngineClass> ring = new TreeMap<>();
    planned.forEach(
        (engine, nodes) ->
            nodes.forEach(tokens -> tokens.forEach(token -> ring.put(token, engine))));
    return new ArrayList<>(ring.values());
  }

  @Test
  void other_tokens_are_no_plan() {
    EngineClass w = EngineClass.WRITE;
    EngineClass r = EngineClass.READ;
    assertThat(TokenPlan.of(List.of())).isEmpty();
    assertThat(TokenPlan.of(List.of(w, w, w, w))).isEmpty();
    assertThat(TokenPlan.of(List.of(w, r, r, w, w, r, w, r, r, w, r, w, w))).isEmpty();
    assertThat(TokenPlan.warning("dc1", 2, List.of(w, w))).isEmpty();
  }
}
