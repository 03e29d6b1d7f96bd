package io.counterpart.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into this module's jar. */
final class VersionText implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = VersionText.class.getPackage().getImplementationVersion();
    return new String[] {
      "counterpart " + (version == null ? "(not from a jar)" : version), "JDK " + Runtime.version(),
    };
  }
}
