package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.OwnKeyspaces;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.ClientShape;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoutingTest {
  private static final LabTable STOCK = LabTable.of(Arm.named(Arm.LCS).orElseThrow());

  @Test
  void every_routing_has_a_name_of_its_own() {
    assertThat(Stream.of(Routing.values()).map(Routing::suffix))
        .doesNotHaveDuplicates()
        .contains("", "+pf", "+pf+cr");
    assertThat(new ExperimentArm(STOCK, Routing.PRIMARY_FIRST_CONSISTENT, Placement.POR).name())
        .isEqualTo("lcs+por+pf+cr");
  }

  @Test
  void levels_are_decided_with_one_routing_alone_which_else_is_that_to_the_primary() {
    assertThat(Stream.of(Routing.values()).filter(Routing::decidesLevels))
        .containsExactly(Routing.PRIMARY_FIRST_CONSISTENT);
    assertThat(Stream.of(Routing.values()).filter(Routing::choosesNearest))
        .containsExactly(
            Routing.PRIMARY_FIRST, Routing.PRIMARY_FIRST_CONSISTENT, Routing.ENGINE_CLASSES);
    assertThat(Routing.PRIMARY_FIRST_CONSISTENT.client()).isEqualTo(Routing.PRIMARY_FIRST.client());
  }

  @Test
  void a_stage_has_the_handler_only_for_an_arm_whose_levels_are_decided() {
    Stage without = stage(Routing.STOCK, Routing.PRIMARY_FIRST);
    Stage with = stage(Routing.PRIMARY_FIRST, Routing.PRIMARY_FIRST_CONSISTENT);

    assertThat(without.decidesLevels()).isFalse();
    assertThat(with.decidesLevels()).isTrue();
    assertThat(with.withArms(List.of("lcs+pf")).decidesLevels()).isFalse();
    assertThat(StageNeeds.of(without, ClientShape.PAPER).plugin()).isFalse();
    assertThat(StageNeeds.of(with, ClientShape.PAPER).plugin()).isTrue();
  }

  @Test
  void nodes_without_the_handler_refuse_to_decide_levels() {
    try (RunningLab running = withoutNodes()) {
      Routing.PRIMARY_FIRST.apply(running);
      assertThatThrownBy(() -> Routing.PRIMARY_FIRST_CONSISTENT.apply(running))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("started without the consistency query handler");
    }
  }

  private static Stage stage(Routing... routings) {
    List<ExperimentArm> arms =
        Stream.of(routings).map(routing -> new ExperimentArm(STOCK, routing)).toList();
    return new Stage(5, 1000, arms, List.of());
  }

  private static RunningLab withoutNodes() {
    CqlSession unused =
        (CqlSession)
            Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, args) -> {
                  throw new UnsupportedOperationException(method.getName());
                });
    return new RunningLab(
        new ConnectedNodes(List.of()), new OwnKeyspaces(unused), Map.of(), () -> {});
  }
}
