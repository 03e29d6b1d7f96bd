package io.counterpart.cassandra.locator;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.jspecify.annotations.Nullable;

/** Builds the snitch that {@link PrimaryFirstSnitch} asks for the topology. Stateless. */
final class DelegateSnitch {
  private static final String DEFAULT = "GossipingPropertyFileSnitch";

  private DelegateSnitch() {}

  static IEndpointSnitch fromSystemProperty() {
    return named(System.getProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, DEFAULT).trim());
  }

  /**
   * Builds the snitch of that class.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause: Cassandra
   *     unwraps that and shows its message, and hides the message of any other exception
   */
  static IEndpointSnitch named(String className) {
    if (className.isEmpty()) {
      throw refused(className, "it is empty", null);
    }
    if (className.equals(PrimaryFirstSnitch.class.getName())) {
      throw refused(className, "it would delegate to itself", null);
    }
    try {
      return DatabaseDescriptor.createEndpointSnitch(false, className);
    } catch (ConfigurationException e) {
      throw refused(className, String.valueOf(e.getMessage()), e);
    }
  }

  private static IllegalArgumentException refused(
      String className, String reason, @Nullable Throwable cause) {
    String message =
        String.format(
            "system property %s is '%s': %s; legal: a snitch class with a public constructor"
                + " without arguments, by full name or by its simple name in"
                + " org.apache.cassandra.locator (default %s)",
            PrimaryFirstSnitch.DELEGATE_PROPERTY, className, reason, DEFAULT);
    return new IllegalArgumentException(message, new ConfigurationException(message, cause));
  }
}
