package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.staleness.estimate.Takeovers;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.TokenMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UpkeepTest {
  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  /** Its row in the system tables may lack the host id. */
  @Test
  void tokens_of_a_node_without_a_known_host_id_count() throws UnknownHostException {
    TokenMetadata ring =
        new TokenMetadata(new SimpleSnitch()).cloneWithNewPartitioner(Murmur3Partitioner.instance);
    InetAddressAndPort nameless = InetAddressAndPort.getByName("127.0.0.2");
    UUID host = UUID.randomUUID();
    InetAddressAndPort node = InetAddressAndPort.getByName("127.0.0.1");
    ring.updateHostId(host, node);
    ring.updateNormalToken(new LongToken(0), node);
    ring.updateNormalToken(new LongToken(1), nameless);
    Takeovers<UUID, Token> takeovers = new Takeovers<>();
    takeovers.look(Upkeep.owners(ring));
    assertThat(Upkeep.owners(ring))
        .isEqualTo(Map.of(new LongToken(0), host, new LongToken(1), Upkeep.UNKNOWN));

    ring.removeEndpoint(nameless);

    assertThat(takeovers.look(Upkeep.owners(ring)).grown()).isEqualTo(Set.of(host));
  }
}
