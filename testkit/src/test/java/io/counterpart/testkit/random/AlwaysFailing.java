package io.counterpart.testkit.random;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Run by another test only: the build does not find it, since its name does not end with Test. */
class AlwaysFailing {
  @Test
  @ExtendWith(SeededRandom.class)
  void fails(Random random) {
    throw new AssertionError("drew " + random.nextLong());
  }
}
