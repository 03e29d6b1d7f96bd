package io.counterpart.integration;

import java.util.Random;

/** The seed of a randomized test: printed, and taken from {@code -Dseed=} to repeat a run. */
record Seed(long value) {

  static Seed of(Class<?> test) {
    String given = System.getProperty("seed");
    Seed seed = new Seed(given == null ? System.nanoTime() : Long.parseLong(given));
    System.out.println(test.getSimpleName() + ": -Dseed=" + seed.value);
    return seed;
  }

  Random random() {
    return new Random(value);
  }

  @Override
  public String toString() {
    return "-Dseed=" + value;
  }
}
