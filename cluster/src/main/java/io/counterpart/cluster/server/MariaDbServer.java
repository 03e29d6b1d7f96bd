package io.counterpart.cluster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
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
      "the Debian package mariadb-server (scripts/bootstrap --test installs it)";

  /** Debian's, also where it is not in PATH. */
  private static final List<String> PROGRAM_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin");

  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final String USER = "counterpart";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 50;
  private static final int CONNECT_MILLIS = 1_000;
  private static final int PROTOCOL = 10;
  private static final int LOG_LINES = 8;

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
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    List<String> folders = new ArrayList<>(List.of(path.split(File.pathSeparator)));
    folders.addAll(PROGRAM_FOLDERS);
    return folders.stream()
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Override
  public Map<String, String> parameters(ServerPlace place) {
    return Map.of(
        "url",
        "jdbc:mariadb://%s/".formatted(place),
        "user",
        USER,
        "password_file",
        passwordFile(place).toString());
  }

  /** Readable by the user that started the server. */
  private static Path passwordFile(ServerPlace place) {
    return place.directory().resolve("password");
  }

  /** The server's own log. */
  private static Path log(ServerPlace place) {
    return place.directory().resolve("mariadb.log");
  }

  private static Path data(ServerPlace place) {
    return place.directory().resolve("data");
  }

  @Override
  public String argument(ServerPlace place) {
    return "--datadir=" + data(place);
  }

  @Override
  public ProcessIdentity start(ServerPlace place) throws IOException {
    Path server = program("mariadbd").orElseThrow(() -> lacking(place));
    Files.createDirectories(place.directory());
    writePrivate(place);
    if (!Files.isDirectory(data(place))) {
      createData(place);
    }
    Files.deleteIfExists(log(place));
    Process process =
        new ProcessBuilder(command(server, place))
            .directory(place.directory().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(place.directory().resolve("console.log").toFile())
            .start();
    ProcessIdentity identity =
        ProcessIdentity.of(process.pid()).orElseThrow(() -> failed(place, "it ended at once"));
    try {
      awaitAnswer(place, identity);
      return identity;
    } catch (RuntimeException e) {
      identity.kill();
      throw e;
    }
  }

  private static ServerStartException lacking(ServerPlace place) {
    return failed(place, "missing: " + ADVICE);
  }

  private static ServerStartException failed(ServerPlace place, String why) {
    return new ServerStartException("MariaDB on " + place, why);
  }

  /** The account, in a file that the server reads at each start. */
  private static void writePrivate(ServerPlace place) throws IOException {
    if (!Files.exists(passwordFile(place))) {
      byte[] random = new byte[16];
      new SecureRandom().nextBytes(random);
      writePrivate(passwordFile(place), HexFormat.of().formatHex(random) + "\n");
    }
    String password = Files.readString(passwordFile(place), UTF_8).strip();
    String account = "'" + USER + "'@'127.%'";
    writePrivate(
        accountFile(place),
        """
        CREATE USER IF NOT EXISTS %1$s IDENTIFIED BY '%2$s';
        GRANT ALL ON *.* TO %1$s;
        """
            .formatted(account, password));
  }

  private static Path accountFile(ServerPlace place) {
    return place.directory().resolve("account.sql");
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text, UTF_8);
  }

  /**
   * Under another name first: what an interruption leaves is not taken for data. The installer
   * stumbles over blanks in a path, so it is given a relative one.
   */
  private static void createData(ServerPlace place) throws IOException {
    String name = "data.new";
    Path made = place.directory().resolve(name);
    NodeFiles.deleteTree(made);
    Path log = place.directory().resolve("install.log");
    Process process =
        new ProcessBuilder(
                program("mariadb-install-db").orElseThrow(() -> lacking(place)).toString(),
                "--no-defaults",
                "--datadir=./" + name,
                "--user=" + user(),
                "--auth-root-authentication-method=socket",
                "--auth-root-socket-user=" + user(),
                "--skip-test-db",
                "--skip-name-resolve")
            .directory(place.directory().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (process.waitFor() != 0) {
        throw failed(place, "mariadb-install-db failed: " + end(log));
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
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // a Ctrl-C that is meant for this JVM is not the server's
      command.add(SETSID.toString());
    }
    command.addAll(
        List.of(
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
            "--innodb-log-file-size=96M"));
    return command;
  }

  private static void awaitAnswer(ServerPlace place, ProcessIdentity process) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!answers(place)) {
      if (!process.isAlive()) {
        throw failed(place, "it ended: " + end(log(place)));
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed(
            place, "no answer for %d s: %s".formatted(START_LIMIT.toSeconds(), end(log(place))));
      }
      ProcessIdentity.pause(POLL_MILLIS);
    }
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

  /** The last lines of a log, in one. */
  private static String end(Path log) {
    try {
      List<String> lines = Files.readAllLines(log, UTF_8);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))
          + " (log: "
          + log
          + ")";
    } catch (IOException e) {
      return "no log " + log;
    }
  }
}
