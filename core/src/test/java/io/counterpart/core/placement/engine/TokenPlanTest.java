package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
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
    Map<EngineClass, List<List<Long>>> planned = EngineTokens.plan(servers, quotas, 4);
    TokenRing ring = ring(planned);

    assertThat(TokenPlan.of(classes(planned))).contains(quotas);
    assertThat(TokenPlan.warning(ring, "dc1", copies)).isEmpty();
    assertThat(TokenPlan.warning(ring, "dc1", copies - 1))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith(
                        "dc1: %d copies (N), legal: %d, for".formatted(copies - 1, copies)));
  }

  @Test
  void a_node_that_joins_a_plan_breaks_it_where_a_class_has_more_copies() {
    TokenRing ring =
        ring(EngineTokens.plan(6, EngineQuotas.of(4, 3, 2), 4))
            .with(new RingNode("joined", "dc1", "read", List.of(17L)));

    assertThat(TokenPlan.warning(ring, "dc1", 4))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith("dc1: the tokens of its engine classes follow no plan.")
                    .contains(" token ranges have other copies than write 2, read 1, memory 1,"));
  }

  @Test
  void one_copy_of_each_class_needs_no_plan() {
    TokenRing ring =
        ring(EngineTokens.plan(3, EngineQuotas.of(3, 2, 2), 4))
            .with(new RingNode("joined", "dc1", "read", List.of(17L)));

    assertThat(TokenPlan.warning(ring, "dc1", 3)).isEmpty();
    assertThat(TokenPlan.warning(ring, "dc1", 2)).isPresent();
  }

  @Test
  void a_rack_without_a_class_is_no_plan() {
    TokenRing ring =
        ring(EngineTokens.plan(3, EngineQuotas.of(3, 2, 2), 4))
            .with(new RingNode("joined", "dc1", "rack1", List.of(17L)));

    assertThat(TokenPlan.warning(ring, "dc1", 2)).isEmpty();
    assertThat(TokenPlan.warning(ring, "dc2", 2)).isEmpty();
  }

  private static TokenRing ring(Map<EngineClass, List<List<Long>>> planned) {
    List<RingNode> nodes = new ArrayList<>();
    planned.forEach(
        (engine, tokens) ->
            tokens.forEach(
                own ->
                    nodes.add(new RingNode("node" + nodes.size(), "dc1", engine.toString(), own))));
    return TokenRing.of(nodes);
  }

  private static List<EngineClass> classes(Map<EngineClass, List<List<Long>>> planned) {
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
  }
}
