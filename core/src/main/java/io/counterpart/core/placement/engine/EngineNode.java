package io.counterpart.core.placement.engine;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node with the machine that it runs on and the class of its engine.
 *
 * @param name unique in its datacenter
 * @param server the machine, which fails with all its nodes
 */
public record EngineNode(String name, String server, EngineClass engine) {
  /** The form of a rack that names both. */
  public static final String RACK_FORM = "SERVER/CLASS, where CLASS is one of " + EngineClass.NAMES;

  private static final Pattern RACK = Pattern.compile("(.+)/([^/]+)");

  /** Checks. */
  public EngineNode {
    if (name.isBlank() || server.isBlank()) {
      throw new IllegalArgumentException(
          "node '%s' on server '%s', legal: neither is blank".formatted(name, server));
    }
  }

  /** The node whose rack is {@code server/class}; empty if the rack has another form. */
  public static Optional<EngineNode> inRack(String name, String rack) {
    Matcher form = RACK.matcher(rack);
    return form.matches() && !form.group(1).isBlank()
        ? EngineClass.named(form.group(2))
            .map(engine -> new EngineNode(name, form.group(1), engine))
        : Optional.empty();
  }
}
