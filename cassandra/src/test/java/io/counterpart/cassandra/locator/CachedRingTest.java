package io.counterpart.cassandra.locator;

import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_2;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.TokenMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The copy of the ring by which Cassandra finds replicas. */
class CachedRingTest {
  private final TokenMetadata ring =
      new TokenMetadata(new SimpleSnitch()).cloneWithNewPartitioner(Murmur3Partitioner.instance);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void a_copy_that_was_put_in_place_after_a_change_is_renewed() throws Exception {
    ring.updateHostId(UUID.randomUUID(), NEAR_1);
    ring.updateHostId(UUID.randomUUID(), NEAR_2);
    ring.updateNormalToken(new LongToken(0), NEAR_1);
    TokenMetadata before = ring.cachedOnlyTokenMap();
    ring.updateNormalToken(new LongToken(1), NEAR_2);
    cached().set(before); // by a thread that made it before the change
    assertThat(ring.cachedOnlyTokenMap().sortedTokens()).containsExactly(new LongToken(0));

    CachedRing.renew(ring);

    assertThat(ring.cachedOnlyTokenMap().sortedTokens())
        .containsExactly(new LongToken(0), new LongToken(1));
  }

  @Test
  void one_of_the_ring_as_it_is_stays() {
    ring.updateHostId(UUID.randomUUID(), NEAR_1);
    ring.updateNormalToken(new LongToken(0), NEAR_1);
    TokenMetadata copy = ring.cachedOnlyTokenMap();
    long version = ring.getRingVersion();

    CachedRing.renew(ring);

    assertThat(ring.cachedOnlyTokenMap()).isSameAs(copy);
    assertThat(ring.getRingVersion()).isEqualTo(version);
  }

  @SuppressWarnings("unchecked")
  private AtomicReference<TokenMetadata> cached() throws ReflectiveOperationException {
    Field field = TokenMetadata.class.getDeclaredField("cachedTokenMap");
    field.setAccessible(true);
    return (AtomicReference<TokenMetadata>) field.get(ring);
  }
}
