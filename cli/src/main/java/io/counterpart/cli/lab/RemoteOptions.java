package io.counterpart.cli.lab;

import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.jmx.Login;
import io.counterpart.lab.remote.RemoteAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Options of a cluster that somebody else runs: contact points and logins. */
public final class RemoteOptions {
  @Option(
      names = "--contact-points",
      required = true,
      split = ",",
      converter = Point.class,
      description =
          "run on the cluster of these nodes, which is left as it was, and start none; port: 9042",
      paramLabel = "HOST[:PORT]")
  private List<ContactPoint> contactPoints = new ArrayList<>();

  @Option(
      names = "--local-dc",
      description = "datacenter whose nodes are worked on; default: the contact points'",
      paramLabel = "NAME")
  private @Nullable String datacenter;

  @Option(names = "--user", description = "for CQL", paramLabel = "NAME")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      description = "file whose first line is that user's password",
      paramLabel = "FILE")
  private @Nullable Path passwordFile;

  @Option(
      names = "--jmx-port",
      description = "JMX port of every node; default: what the node says, or 7199",
      paramLabel = "PORT")
  private @Nullable Integer jmxPort;

  @Option(names = "--jmx-user", description = "for JMX", paramLabel = "NAME")
  private @Nullable String jmxUser;

  @Option(
      names = "--jmx-password-file",
      description = "file whose first line is that user's password",
      paramLabel = "FILE")
  private @Nullable Path jmxPasswordFile;

  @ArgGroup(exclusive = false)
  private @Nullable TlsOptions tls;

  /** Refuses an address before anything starts. */
  static final class Point implements ITypeConverter<ContactPoint> {
    @Override
    public ContactPoint convert(String text) {
      try {
        return ContactPoint.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * What the options say.
   *
   * @throws ParameterException if they do not fit together, or a file cannot be read
   */
  public RemoteAccess access(CommandLine command) {
    try {
      return new RemoteAccess(
          contactPoints,
          datacenter,
          login("--user", user, "--password-file", passwordFile),
          jmxPort(),
          login("--jmx-user", jmxUser, "--jmx-password-file", jmxPasswordFile),
          tls == null ? null : tls.tls());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * As {@link #access}, for commands that work on every datacenter: a schema is the whole
   * cluster's.
   *
   * @throws ParameterException also if a datacenter is named
   */
  public RemoteAccess accessToAll(CommandLine command) {
    if (datacenter != null) {
      throw new ParameterException(command, "--local-dc: every datacenter is worked on");
    }
    return access(command);
  }

  private OptionalInt jmxPort() {
    Integer port = jmxPort;
    if (port == null) {
      return OptionalInt.empty();
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("--jmx-port %d: must be 1 to 65535".formatted(port));
    }
    return OptionalInt.of(port);
  }

  private static @Nullable Login login(
      String userOption, @Nullable String name, String fileOption, @Nullable Path file) {
    if (name == null && file == null) {
      return null;
    }
    if (name == null || file == null) {
      throw new IllegalArgumentException(
          "%s and %s: both or neither".formatted(userOption, fileOption));
    }
    try {
      List<String> lines = Files.readAllLines(file);
      if (lines.isEmpty()) {
        throw new IllegalArgumentException("%s '%s': is empty".formatted(fileOption, file));
      }
      return new Login(name, lines.get(0));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s '%s': cannot be read as text".formatted(fileOption, file), e);
    }
  }
}
