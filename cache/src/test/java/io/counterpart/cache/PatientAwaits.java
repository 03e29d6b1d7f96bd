package io.counterpart.cache;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has all tests of the module wait longer than Awaitility's ten seconds for what is to happen: they
 * run beside others, on machines whose processors may be busy elsewhere. JUnit registers it.
 */
public final class PatientAwaits implements BeforeAllCallback {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  @Override
  public void beforeAll(ExtensionContext test) {
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
