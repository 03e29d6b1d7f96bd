package io.counterpart.cassandra.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.SimpleStrategy;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two other nodes with the tokens 100 and 200, and this one; two copies. */
class TableRingTest {
  private final IEndpointSnitch snitch = new SimpleSnitch();
  private final InetAddressAndPort local = FBUtilities.getBroadcastAddressAndPort();
  private final InetAddressAndPort second = node(2);
  private final InetAddressAndPort third = node(3);
  private final TokenMetadata metadata = new TokenMetadata(snitch);
  private final SimpleStrategy twoCopies =
      new SimpleStrategy("k", metadata, snitch, Map.of("replication_factor", "2"));

  TableRingTest() {
    metadata.updateNormalTokens(List.of(token(100)), second);
    metadata.updateNormalTokens(List.of(token(200)), third);
  }

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }

  @Test
  void counts_with_its_saved_tokens_outside_of_the_ring() {
    RingView<Token> view = view(List.of(token(150)));

    assertThat(view.arc(token(150)).replicaIndex()).isZero();
    assertThat(view.arc(token(100)).replicaIndex()).isOne();
    assertThat(view.arc(token(200)).replicaIndex()).isEqualTo(Arc.NOT_OWNED);
  }

  @Test
  void counts_with_the_tokens_it_bootstraps_with_before_those_it_has_saved() {
    TableRing.RingState before = TableRing.state(metadata, twoCopies);

    metadata.addBootstrapTokens(List.of(token(150)), local);

    assertThat(TableRing.state(metadata, twoCopies)).isNotEqualTo(before);
    assertThat(view(List.of(token(50))).arc(token(150)).replicaIndex()).isZero();
  }

  @Test
  void owns_nothing_without_tokens() {
    RingView<Token> view = view(List.of());

    assertThat(new RingSnapshot(view).ownsNothing()).isTrue();
  }

  @Test
  void owns_what_a_leaving_node_leaves_as_soon_as_it_begins() {
    metadata.updateNormalTokens(List.of(token(300)), local);
    TableRing.RingState before = TableRing.state(metadata, twoCopies);
    assertThat(view(List.of()).arc(token(100)).replicaIndex()).isEqualTo(Arc.NOT_OWNED);

    metadata.addLeavingEndpoint(third);

    assertThat(TableRing.state(metadata, twoCopies)).isNotEqualTo(before);
    assertThat(view(List.of()).arc(token(200)).replicaIndex()).isZero();
    assertThat(view(List.of()).arc(token(100)).replicaIndex()).isOne();
  }

  @Test
  void keeps_what_it_has_while_it_leaves() {
    metadata.updateNormalTokens(List.of(token(300)), local);

    metadata.addLeavingEndpoint(local);

    assertThat(view(List.of()).arc(token(300)).replicaIndex()).isZero();
    assertThat(view(List.of()).arc(token(200)).replicaIndex()).isOne();
  }

  @Test
  void keeps_what_a_moving_node_takes_until_it_has_moved() {
    metadata.updateNormalTokens(List.of(token(300)), local);
    TableRing.RingState before = TableRing.state(metadata, twoCopies);

    metadata.addMovingEndpoint(token(250), second);

    assertThat(TableRing.state(metadata, twoCopies)).isNotEqualTo(before);
    // (100, 200] will be of nodes three and two, and is of three and this one until then
    assertThat(view(List.of()).arc(token(150)).replicaIndex()).isOne();
    // what it leads stays with it
    assertThat(view(List.of()).arc(token(300)).replicaIndex()).isZero();
  }

  private RingView<Token> view(Collection<Token> saved) {
    RingView<Token> view = TableRing.view(metadata, twoCopies, () -> saved, 256);
    assertThat(view).isNotNull();
    return view;
  }

  private static Token token(long value) {
    return new LongToken(value);
  }

  private static InetAddressAndPort node(int number) {
    try {
      return InetAddressAndPort.getByName("127.0.0." + (100 + number));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
