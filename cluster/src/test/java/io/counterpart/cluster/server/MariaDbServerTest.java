package io.counterpart.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers, as nodes have them. */
class MariaDbServerTest {
  private final ServerKind mariadb = ServerKind.of("sql").orElseThrow();

  @TempDir private Path home;
  private ServerPlace place;

  @BeforeEach
  void choosePlace() throws IOException {
    boolean isInstalled = mariadb.missing().isEmpty();
    if (!isInstalled) {
      System.err.println("NOT TESTED: no MariaDB server is installed");
    }
    Assumptions.assumeTrue(isInstalled, "no MariaDB server is installed");
    place =
        new ServerPlace(home.resolve("with a blank"), "127.0.0.1", TcpPort.anyFree("127.0.0.1"));
  }

  @AfterEach
  void kill() {
    if (place != null) {
      ProcessIdentity.withArgument(mariadb.argument(place)).ifPresent(ProcessIdentity::kill);
    }
  }

  @Test
  void a_server_is_found_by_its_argument_and_keeps_its_data_and_password() throws Exception {
    ProcessIdentity first = mariadb.start(place);
    Path password = Path.of(mariadb.parameters(place).get("password_file"));
    String secret = Files.readString(password);
    FileTime created = Files.getLastModifiedTime(place.directory().resolve("data/mysql"));

    assertThat(ProcessIdentity.withArgument(mariadb.argument(place))).contains(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
        .isEqualTo("rw-------");
    first.terminate();
    assertThat(first.awaitExit(Duration.ofSeconds(30))).isTrue();
    ProcessIdentity second = mariadb.start(place);

    assertThat(second).isNotEqualTo(first);
    assertThat(Files.readString(password)).isEqualTo(secret);
    assertThat(Files.getLastModifiedTime(place.directory().resolve("data/mysql")))
        .isEqualTo(created);
  }

  @Test
  void parameters_name_the_server_and_a_file_in_place_of_the_password() {
    Map<String, String> parameters = mariadb.parameters(place);

    assertThat(parameters)
        .containsOnlyKeys("url", "user", "password_file")
        .containsEntry("url", "jdbc:mariadb://127.0.0.1:%d/".formatted(place.port()));
  }

  @Test
  void what_an_interrupted_installation_left_is_not_taken_for_data() throws Exception {
    Files.createDirectories(place.directory().resolve("data.new/mysql"));

    mariadb.start(place);

    assertThat(place.directory().resolve("data.new")).doesNotExist();
  }

  /** At its start a server deletes all such files that it finds: those of others that run, too. */
  @Test
  void temporary_files_of_other_servers_stay() throws Exception {
    Path others = Path.of(System.getProperty("java.io.tmpdir"), "#sql-temptable-1-1-1.MAD");
    Files.writeString(others, "");
    try {
      mariadb.start(place);

      assertThat(others).exists();
    } finally {
      Files.deleteIfExists(others);
    }
  }

  @Test
  void a_port_in_use_is_told_with_the_end_of_the_log() throws Exception {
    try (ServerSocket taken =
        new ServerSocket(place.port(), 1, InetAddress.getByName(place.address()))) {
      assertThat(taken.isBound()).isTrue();

      assertThatThrownBy(() -> mariadb.start(place))
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining(place.toString())
          .hasMessageContaining("Address already in use");
    }
    assertThat(ProcessIdentity.withArgument(mariadb.argument(place))).isEmpty();
  }
}
