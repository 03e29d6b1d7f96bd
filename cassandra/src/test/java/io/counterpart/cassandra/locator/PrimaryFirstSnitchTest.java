package io.counterpart.cassandra.locator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.selection.SelectionRules;
import java.lang.reflect.Field;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PrimaryFirstSnitchTest {
  private static final String MISSPELT = "counterpart.snitch.tie";
  private static final Token TOKEN = new LongToken(5);
  private static final Range<Token> RANGE =
      new Range<>(new LongToken(Long.MIN_VALUE), new LongToken(Long.MAX_VALUE));
  static final InetAddressAndPort NEAR_1 = address("127.1.1.1");
  static final InetAddressAndPort NEAR_2 = address("127.1.2.2");
  static final InetAddressAndPort NEAR_3 = address("127.1.1.3");
  static final InetAddressAndPort FAR_1 = address("127.2.1.1");
  private static final InetAddressAndPort FAR_2 = address("127.2.1.2");

  private final CoordinatorReads reads =
      new CoordinatorReads(SelectionRules.DEFAULT, System::nanoTime);
  private final PrimaryFirstSnitch snitch = new PrimaryFirstSnitch(new OctetSnitch(), () -> reads);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @AfterEach
  void forget_the_properties() {
    System.clearProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY);
    System.clearProperty(PrimaryFirstSnitch.TIE_PROPERTY);
    System.clearProperty(PrimaryFirstSnitch.HEDGE_PROPERTY);
    System.clearProperty(MISSPELT);
  }

  @Test
  void primary_comes_first_even_when_the_coordinator_is_a_replica() {
    EndpointsForToken natural = forToken(NEAR_1, NEAR_2, NEAR_3);

    assertThat(endpoints(new OctetSnitch().sortedByProximity(NEAR_3, natural))).startsWith(NEAR_3);
    assertThat(endpoints(snitch.sortedByProximity(NEAR_3, natural)))
        .startsWith(NEAR_1)
        .containsExactlyInAnyOrder(NEAR_1, NEAR_2, NEAR_3);
  }

  @Test
  void the_others_share_what_a_dead_primary_would_serve() {
    Map<InetAddressAndPort, Integer> seconds = new HashMap<>();
    for (long token = -5_000; token < 5_000; token++) {
      EndpointsForToken natural = forToken(new LongToken(token << 40), NEAR_1, NEAR_2, NEAR_3);
      List<InetAddressAndPort> sorted = endpoints(snitch.sortedByProximity(NEAR_2, natural));
      assertThat(sorted).startsWith(NEAR_1);
      assertThat(endpoints(snitch.sortedByProximity(NEAR_3, natural))).isEqualTo(sorted);
      seconds.merge(sorted.get(1), 1, Integer::sum);
    }
    assertThat(seconds).containsOnlyKeys(NEAR_2, NEAR_3);
    assertThat(seconds.get(NEAR_2)).isBetween(4_800, 5_200);
  }

  @Test
  void ranges_of_evenly_spaced_tokens_are_shared_too() {
    Map<InetAddressAndPort, Integer> seconds = new HashMap<>();
    for (long end = 1; end < 256; end++) {
      Range<Token> range = new Range<>(new LongToken(end - 1 << 55), new LongToken(end << 55));
      EndpointsForRange natural =
          EndpointsForRange.of(
              Replica.fullReplica(NEAR_1, range),
              Replica.fullReplica(NEAR_2, range),
              Replica.fullReplica(NEAR_3, range));
      seconds.merge(endpoints(snitch.sortedByProximity(NEAR_2, natural)).get(1), 1, Integer::sum);
    }
    assertThat(seconds.get(NEAR_2)).isBetween(96, 160);
  }

  @Test
  void local_datacenter_comes_first_and_each_keeps_ring_order() {
    EndpointsForToken natural = forToken(FAR_2, NEAR_2, FAR_1, NEAR_1);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_1, natural)))
        .containsExactly(NEAR_2, NEAR_1, FAR_2, FAR_1);
    assertThat(endpoints(snitch.sortedByProximity(FAR_1, natural)))
        .containsExactly(FAR_2, FAR_1, NEAR_2, NEAR_1);
  }

  @Test
  void range_reads_are_ordered_like_point_reads() {
    EndpointsForRange natural =
        EndpointsForRange.of(full(FAR_1), full(NEAR_3), full(NEAR_2), full(NEAR_1));

    EndpointsForRange sorted = snitch.sortedByProximity(NEAR_1, natural);

    assertThat(endpoints(sorted)).startsWith(NEAR_3).endsWith(FAR_1).hasSize(4);
    assertThat(sorted.range()).isEqualTo(RANGE);
  }

  @Test
  void neighbouring_ranges_are_read_as_one_only_by_the_replica_that_would_read_both() {
    assertThat(merges(NEAR_1, NEAR_1, NEAR_1)).isTrue();
    // the replica that both ranges share is a redundant copy of the first
    assertThat(merges(NEAR_2, NEAR_1, NEAR_2)).isFalse();
    assertThat(merges(NEAR_1, NEAR_1, NEAR_2)).isFalse();
  }

  private boolean merges(
      InetAddressAndPort merged, InetAddressAndPort left, InetAddressAndPort right) {
    return snitch.isWorthMergingForRangeQuery(
        range(merged, NEAR_3), range(left, NEAR_3), range(right, NEAR_3));
  }

  private static EndpointsForRange range(InetAddressAndPort... endpoints) {
    return EndpointsForRange.of(
        Arrays.stream(endpoints).map(PrimaryFirstSnitchTest::full).toArray(Replica[]::new));
  }

  @Test
  void topology_is_the_delegates() {
    assertThat(snitch.getDatacenter(FAR_1)).isEqualTo("dc2");
    assertThat(snitch.getDatacenter(full(FAR_1))).isEqualTo("dc2");
    assertThat(snitch.getRack(NEAR_2)).isEqualTo("rack2");
  }

  @Test
  void dynamic_snitch_would_override_the_order_at_one_millisecond() throws Exception {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    DynamicEndpointSnitch dynamic = new DynamicEndpointSnitch(snitch, "test");
    EndpointsForToken natural = forToken(NEAR_1, NEAR_2, NEAR_3);

    score(dynamic, Map.of(NEAR_1, 0.0, NEAR_2, 0.0, NEAR_3, 0.0));
    assertThat(endpoints(dynamic.sortedByProximity(self, natural))).startsWith(NEAR_1);

    // the only replica below a millisecond scores 0, and no threshold makes 0 comparable
    score(dynamic, Map.of(NEAR_1, 1.0, NEAR_2, 0.0, NEAR_3, 1.0));
    assertThat(endpoints(dynamic.sortedByProximity(self, natural))).startsWith(NEAR_2);
  }

  @Test
  void delegate_is_named_by_the_system_property() {
    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, "SimpleSnitch");

    assertThat(new PrimaryFirstSnitch().getDatacenter(FAR_1)).isEqualTo("datacenter1");

    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, OctetSnitch.class.getName());

    assertThat(new PrimaryFirstSnitch().getDatacenter(FAR_1)).isEqualTo("dc2");
  }

  @Test
  void cassandra_reports_a_bad_delegate_with_its_name() {
    for (String bad :
        List.of("NoSuchSnitch", "java.lang.String", "", PrimaryFirstSnitch.class.getName())) {
      System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, bad);

      assertThatThrownBy(
              () ->
                  DatabaseDescriptor.createEndpointSnitch(
                      false, PrimaryFirstSnitch.class.getName()))
          .as(bad)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("system property counterpart.snitch.delegate is '" + bad + "': ");
    }
  }

  @Test
  void cassandra_reports_a_bad_tie_with_the_legal_range() {
    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, "SimpleSnitch");
    for (String bad : List.of("0", "10001", "-1", "5ms", "", "99999999999")) {
      System.setProperty(PrimaryFirstSnitch.TIE_PROPERTY, bad);

      assertThatThrownBy(
              () ->
                  DatabaseDescriptor.createEndpointSnitch(
                      false, PrimaryFirstSnitch.class.getName()))
          .as(bad)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("system property counterpart.snitch.tie_ms is '" + bad + "'")
          .hasMessageContaining("from 1 to 10000");
    }
    System.setProperty(PrimaryFirstSnitch.TIE_PROPERTY, "5");
    assertThat(SnitchProperties.rules().tie()).hasMillis(5);
  }

  @Test
  void cassandra_reports_a_bad_share_of_hedges_with_the_legal_range() {
    for (String bad : List.of("0", "0.01", "0.51", "5%", "", "-0.1", "NaN")) {
      System.setProperty(PrimaryFirstSnitch.HEDGE_PROPERTY, bad);

      refused("system property counterpart.snitch.hedge_share is '" + bad + "'; legal: a share");
    }
    System.setProperty(PrimaryFirstSnitch.HEDGE_PROPERTY, "0.05");
    assertThat(SnitchProperties.hedgeShare()).hasValue(0.05);
  }

  @Test
  void cassandra_reports_an_unknown_property_with_the_known_ones() {
    System.setProperty(MISSPELT, "5");

    refused("system property counterpart.snitch.tie is unknown; legal: [counterpart.snitch.de");
  }

  private static void refused(String message) {
    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, "SimpleSnitch");
    assertThatThrownBy(
            () ->
                DatabaseDescriptor.createEndpointSnitch(false, PrimaryFirstSnitch.class.getName()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(message);
  }

  private static void score(DynamicEndpointSnitch dynamic, Map<InetAddressAndPort, Double> scores)
      throws ReflectiveOperationException {
    // scores are computed from a running server's timings only
    Field field = DynamicEndpointSnitch.class.getDeclaredField("scores");
    field.setAccessible(true);
    field.set(dynamic, new HashMap<>(scores));
  }

  static EndpointsForToken forToken(InetAddressAndPort... endpoints) {
    return forToken(TOKEN, endpoints);
  }

  static EndpointsForToken forToken(Token token, InetAddressAndPort... endpoints) {
    return EndpointsForToken.of(
        token, Arrays.stream(endpoints).map(PrimaryFirstSnitchTest::full).toArray(Replica[]::new));
  }

  private static Replica full(InetAddressAndPort endpoint) {
    return Replica.fullReplica(endpoint, RANGE);
  }

  static List<InetAddressAndPort> endpoints(ReplicaCollection<?> replicas) {
    return replicas.stream().map(Replica::endpoint).toList();
  }

  static InetAddressAndPort address(String name) {
    try {
      return InetAddressAndPort.getByName(name);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Datacenter from the second octet and rack from the third, like a network snitch. */
  public static final class OctetSnitch extends AbstractNetworkTopologySnitch
      implements IEndpointSnitch {
    @Override
    public boolean isWorthMergingForRangeQuery(
        ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
      // what stock snitches say within a datacenter, whose name only a running server knows
      return true;
    }

    @Override
    public String getDatacenter(InetAddressAndPort endpoint) {
      return "dc" + endpoint.getAddress().getAddress()[1];
    }

    @Override
    public String getRack(InetAddressAndPort endpoint) {
      return "rack" + endpoint.getAddress().getAddress()[2];
    }
  }
}
