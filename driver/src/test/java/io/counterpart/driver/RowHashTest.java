package io.counterpart.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.driver.shaded.guava.common.hash.Hashing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The row's hash is what the snitch computes with Guava from Cassandra's token. */
@ExtendWith(SeededRandom.class)
class RowHashTest {

  @Test
  void equals_the_hash_of_the_snitch(Random random) {
    for (int i = 0; i < 1_000; i++) {
      long token = random.nextLong();

      int ofSnitch = Hashing.murmur3_32_fixed().hashInt(Long.hashCode(token)).asInt() >>> 1;

      assertThat(RowHash.of(new Murmur3TokenFactory().parse(Long.toString(token))))
          .as("token %d", token)
          .isEqualTo(ofSnitch)
          .isNotNegative();
    }
  }
}
