package io.counterpart.cassandra.locator;

import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.FAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_2;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_3;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.endpoints;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.forToken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.selection.EngineOrder;
import io.counterpart.core.selection.SelectionRules;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads in a cluster whose racks are engine classes. */
class EngineOrderSnitchTest {
  private final CoordinatorReads reads =
      new CoordinatorReads(SelectionRules.DEFAULT, System::nanoTime);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @AfterEach
  void forget_the_properties() {
    System.clearProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY);
    System.clearProperty(PrimaryFirstSnitch.ENGINES_PROPERTY);
  }

  @Test
  void the_local_memory_copy_is_read_first_and_the_write_optimized_one_last() {
    PrimaryFirstSnitch snitch =
        new PrimaryFirstSnitch(
            new ByClass(), () -> reads, EngineOrder.parse("memory,read,write"), endpoint -> false);
    EndpointsForToken natural = forToken(FAR_1, NEAR_1, NEAR_2, NEAR_3);

    for (InetAddressAndPort coordinator : List.of(NEAR_1, NEAR_2, NEAR_3)) {
      assertThat(endpoints(snitch.sortedByProximity(coordinator, natural)))
          .containsExactly(NEAR_3, NEAR_2, NEAR_1, FAR_1);
    }
  }

  @Test
  void cold_nodes_are_read_last_whatever_their_class_and_datacenter() {
    PrimaryFirstSnitch snitch =
        new PrimaryFirstSnitch(
            new ByClass(), () -> reads, EngineOrder.parse("memory,read,write"), NEAR_3::equals);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_3, forToken(FAR_1, NEAR_1, NEAR_2, NEAR_3))))
        .containsExactly(NEAR_2, NEAR_1, FAR_1, NEAR_3);
  }

  @Test
  void without_an_order_the_primary_is_read_first() {
    PrimaryFirstSnitch snitch = new PrimaryFirstSnitch(new ByClass(), () -> reads);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_3, forToken(NEAR_1, NEAR_2, NEAR_3))))
        .startsWith(NEAR_1);
  }

  @Test
  void cassandra_reports_a_bad_order_with_the_legal_classes() {
    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, "SimpleSnitch");
    System.setProperty(PrimaryFirstSnitch.ENGINES_PROPERTY, "memory,disk");

    assertThatThrownBy(
            () ->
                DatabaseDescriptor.createEndpointSnitch(false, PrimaryFirstSnitch.class.getName()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "system property counterpart.snitch.engines is 'memory,disk'; legal: some of [write,"
                + " read, memory], separated by commas, each once (default: none)");

    System.setProperty(PrimaryFirstSnitch.ENGINES_PROPERTY, "memory");
    assertThat(SnitchProperties.engineOrder()).isEqualTo(EngineOrder.parse("memory"));
  }

  private static final class ByClass extends AbstractNetworkTopologySnitch {
    private static final Map<InetAddressAndPort, String> RACKS =
        Map.of(NEAR_1, "write", NEAR_2, "s1/read", NEAR_3, "memory");

    @Override
    public String getDatacenter(InetAddressAndPort node) {
      return node.equals(FAR_1) ? "dc2" : "dc1";
    }

    @Override
    public String getRack(InetAddressAndPort node) {
      return RACKS.getOrDefault(node, "memory");
    }
  }
}
