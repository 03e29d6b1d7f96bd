package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import java.nio.file.Path;

/** Where runs and their results are unless an option says otherwise. */
final class LabDirectory {
  private LabDirectory() {}

  static Path of(Installation installation) {
    return installation.root().resolve("target/lab");
  }
}
