package io.counterpart.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class SeededRandomTest {

  private @Nullable String before;

  @BeforeEach
  void remember() {
    before = System.getProperty(SeededRandom.PROPERTY);
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(SeededRandom.PROPERTY);
    } else {
      System.setProperty(SeededRandom.PROPERTY, before);
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void a_test_method_gets_its_random(Random random) {
    assertThat(random.nextInt(10)).isBetween(0, 9);
  }

  @Test
  void the_property_fixes_the_seed() {
    System.setProperty(SeededRandom.PROPERTY, "-42");

    assertThat(SeededRandom.chosen()).isEqualTo(-42);
  }

  @Test
  void without_the_property_seeds_differ() {
    System.clearProperty(SeededRandom.PROPERTY);

    assertThat(SeededRandom.chosen()).isNotEqualTo(SeededRandom.chosen());
  }

  @Test
  void a_bad_seed_is_refused() {
    System.setProperty(SeededRandom.PROPERTY, "x");

    assertThatThrownBy(SeededRandom::chosen).hasMessageContaining("-Dseed=x");
  }
}
