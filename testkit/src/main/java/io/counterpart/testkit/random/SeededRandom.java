package io.counterpart.testkit.random;

import java.security.SecureRandom;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test method a {@link Random}; a failure names the seed, and {@code -Dseed=N} repeats it.
 *
 * <p>The seed is new in every run, so that runs add up; each test method has its own.
 */
public final class SeededRandom implements ParameterResolver, TestExecutionExceptionHandler {

  /** System property that fixes the seed. */
  public static final String PROPERTY = "seed";

  private static final Namespace NAMESPACE = Namespace.create(SeededRandom.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Random.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return new Random(seed(test));
  }

  @Override
  public void handleTestExecutionException(ExtensionContext test, Throwable failure) {
    long seed = seed(test);
    throw new AssertionError(
        "seed " + seed + " (repeat with -D" + PROPERTY + "=" + seed + "): " + failure, failure);
  }

  private static long seed(ExtensionContext test) {
    return test.getStore(NAMESPACE).getOrComputeIfAbsent(PROPERTY, key -> chosen(), Long.class);
  }

  /**
   * The seed of {@code -Dseed}, or a new one.
   *
   * @throws IllegalArgumentException if the property is no whole number
   */
  static long chosen() {
    String given = System.getProperty(PROPERTY);
    if (given == null) {
      return new SecureRandom().nextLong();
    }
    try {
      return Long.parseLong(given);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + "=" + given + " is not a whole number", e);
    }
  }
}
