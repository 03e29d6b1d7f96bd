package io.counterpart.engine.sql;

import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server.
 *
 * @param url {@code jdbc:mariadb://host:port/}, with parameters of MariaDB's driver, such as {@code
 *     sslMode=verify-full}
 * @param user null for the driver's default
 * @param password null for none, or for that of the file
 * @param passwordFile file whose first line is the password; null for none
 * @param connections most connections of this process, 1 to 256
 * @param timeoutMillis longest wait for a connection, and for each answer, 500 to 600,000
 * @param retryMillis how long a write is tried again while the server is away, 0 to 86,400,000
 * @param durable whether a server is refused that does not sync its commits
 */
record SqlOptions(
    String url,
    @Nullable String user,
    @Nullable String password,
    @Nullable Path passwordFile,
    int connections,
    int timeoutMillis,
    int retryMillis,
    boolean durable) {
  private static final String SCHEME = "jdbc:mariadb:";
  private static final String URL = "url";
  private static final String PASSWORD = "password";
  private static final String PASSWORD_FILE = "password_file";
  private static final String DURABLE = "durable";

  /**
   * Takes what it knows out of a map.
   *
   * @throws IllegalArgumentException naming an option, its value and what is legal
   */
  static SqlOptions take(Map<String, String> options) {
    String url = options.remove(URL);
    if (url == null || !url.startsWith(SCHEME + "//")) {
      throw new IllegalArgumentException(
          "option '%s' is %s, legal: %s//host:port/".formatted(URL, quoted(url), SCHEME));
    }
    String password = options.remove(PASSWORD);
    String file = options.remove(PASSWORD_FILE);
    if (password != null && file != null) {
      throw new IllegalArgumentException(
          "options '%s' and '%s' exclude each other".formatted(PASSWORD, PASSWORD_FILE));
    }
    return new SqlOptions(
        url,
        options.remove("user"),
        password,
        file == null ? null : absolute(file),
        number(options, "connections", 8, 1, 256),
        number(options, "timeout_ms", 10_000, 500, 600_000),
        number(options, "retry_ms", 10_000, 0, 86_400_000),
        isDurable(options.remove(DURABLE)));
  }

  private static Path absolute(String file) {
    Path path = Path.of(file);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "option '%s' is '%s', legal: an absolute path".formatted(PASSWORD_FILE, file));
    }
    return path;
  }

  private static int number(
      Map<String, String> options, String name, int usual, int low, int high) {
    String text = options.remove(name);
    if (text == null) {
      return usual;
    }
    try {
      int value = Integer.parseInt(text.strip());
      if (value >= low && value <= high) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw illegal(name, text, low, high, e);
    }
    throw illegal(name, text, low, high, null);
  }

  private static IllegalArgumentException illegal(
      String name, String text, int low, int high, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "option '%s' is '%s', legal: %d to %d".formatted(name, text, low, high), cause);
  }

  private static boolean isDurable(@Nullable String text) {
    if (text == null || text.equals("true")) {
      return true;
    }
    if (text.equals("false")) {
      return false;
    }
    throw new IllegalArgumentException(
        "option '%s' is '%s', legal: true or false".formatted(DURABLE, text));
  }

  private static String quoted(@Nullable String url) {
    return url == null ? "missing" : "'" + withoutParameters(url) + "'";
  }

  /** Parameters may hold a password. */
  private static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  /**
   * The password as it is now: a file is read again for each pool of connections.
   *
   * @throws StoreException if the file cannot be read
   */
  @Nullable String currentPassword() {
    if (passwordFile == null) {
      return password;
    }
    try {
      return Files.readString(passwordFile).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new StoreException("cannot read the password of " + server() + ", " + passwordFile, e);
    }
  }

  /** The server for messages. */
  String server() {
    return "SQL server " + withoutParameters(url).substring(SCHEME.length() + 2);
  }

  @Override
  public String toString() {
    return server();
  }
}
