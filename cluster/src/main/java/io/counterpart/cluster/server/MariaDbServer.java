package io.counterpart.cluster.server;

import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * MariaDB servers for the engine {@code sql}.
 *
 * <p>A server runs as the user that starts it, reads no configuration of the system's, and syncs
 * every commit. Its root comes in through the socket in its data directory alone; the engine has an
 * account of its own with a random password, which only that user can read.
 */
final class MariaDbServer implements ServerKind {
  private static final String ADVICE =
      "the Debian package mariadb-server (up --install, or scripts/bootstrap --engine sql)";

  /** Debian's, also where it is not in PATH. */
  private static final List<String> PROGRAM_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin");

  private static final String USER = "counterpart";
  private static final int POLL_MILLIS = 50;
  private static final int CONNECT_MILLIS = 1_000;
  private static final int PROTOCOL = 10;

  @Override
  public String engine() {
    return "sql";
  }

  @Override
  public Optional<String> missing() {
    boolean isThere = program("mariadbd").isPresent() && program("mariadb-install-db").isPresent();
    return isThere ? Optional.empty() : Optional.of(ADVICE);
  }

  private static Optional<Path> program(String name) {
    return ServerProcess.program(List.of(name), PROGRAM_FOLDERS);
  }

  @Override
  public Map<String, String> parameters(ServerPlace place) {
    return Map.of(
        "url",
        "jdbc:mariadb://%s/".formatted(place),
        "user",
        USER,
        "password_file",
        ServerProcess.passwordFile(place).toString());
  }

  /** The server's own log. */
  private static Path log(ServerPlace place) {
    return place.directory().resolve("mariadb.log");
  }

  private static Path data(ServerPlace place) {
    return place.directory().resolve("data");
  }

  @Override
  public List<String> programs() {
    return List.of("mariadbd");
  }

  @Override
  public String argument(ServerPlace place) {
    return "--datadir=" + data(place);
  }

  @Override
  public ProcessIdentity start(ServerPlace place) throws IOException {
    ServerProcess server = new ServerProcess("MariaDB", place, log(place));
    Path program = program("mariadbd").orElseThrow(() -> lacking(server));
    Files.createDirectories(place.directory());
    writeAccount(place);
    if (!Files.isDirectory(data(place))) {
      createData(server);
    }
    return server.start(command(program, place), () -> answers(place), POLL_MILLIS);
  }

  private static ServerStartException lacking(ServerProcess server) {
    return server.failed("missing: " + ADVICE);
  }

  /** The account, in a file that the server reads at each start. */
  private static void writeAccount(ServerPlace place) throws IOException {
    String account = "'" + USER + "'@'127.%'";
    ServerProcess.writePrivate(
        accountFile(place),
        """
        CREATE USER IF NOT EXISTS %1$s IDENTIFIED BY '%2$s';
        ALTER USER %1$s IDENTIFIED BY '%2$s';
        GRANT ALL ON *.* TO %1$s;
        """
            .formatted(account, ServerProcess.password(place)));
  }

  private static Path accountFile(ServerPlace place) {
    return place.directory().resolve("account.sql");
  }

  /**
   * Under another name first: what an interruption leaves is not taken for data. The installer
   * stumbles over blanks in a path, so it is given a relative one.
   */
  private static void createData(ServerProcess server) throws IOException {
    ServerPlace place = server.place();
    String name = "data.new";
    Path made = place.directory().resolve(name);
    NodeFiles.deleteTree(made);
    Path log = place.directory().resolve("install.log");
    Process process =
        server.run(
            List.of(
                program("mariadb-install-db").orElseThrow(() -> lacking(server)).toString(),
                "--no-defaults",
                "--datadir=./" + name,
                "--user=" + user(),
                "--auth-root-authentication-method=socket",
                "--auth-root-socket-user=" + user(),
                "--skip-test-db",
                "--skip-name-resolve"),
            log);
    try {
      if (process.waitFor() != 0) {
        throw server.failed("mariadb-install-db failed: " + server.end(log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while creating a database");
    }
    Files.move(made, data(place));
  }

  private static String user() {
    return System.getProperty("user.name");
  }

  private static List<String> command(Path server, ServerPlace place) {
    return List.of(
        server.toString(),
        "--no-defaults",
        "--datadir=" + data(place),
        "--user=" + user(),
        "--bind-address=" + place.address(),
        "--port=" + place.port(),
        // below the data directory: a longer path might be too long for a socket
        "--socket=mariadb.sock",
        "--pid-file=mariadb.pid",
        "--log-error=" + log(place),
        "--init-file=" + accountFile(place),
        "--skip-name-resolve",
        "--skip-log-bin",
        "--character-set-server=utf8mb4",
        "--max-allowed-packet=1G",
        "--max-connections=64",
        "--innodb-flush-log-at-trx-commit=1",
        "--innodb-buffer-pool-size=64M",
        "--innodb-log-file-size=96M");
  }

  /** A server greets who connects, once it is ready. */
  private static boolean answers(ServerPlace place) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(place.address(), place.port()), CONNECT_MILLIS);
      socket.setSoTimeout(CONNECT_MILLIS);
      InputStream in = socket.getInputStream();
      byte[] greeting = in.readNBytes(5);
      return greeting.length == 5 && greeting[4] == PROTOCOL;
    } catch (IOException notYet) {
      return false;
    }
  }
}
