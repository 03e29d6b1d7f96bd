package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a configuration.
 *
 * @param password sent to the server; null for none, or for the file's
 * @param passwordFile whose first line is the password, read for each connection; null for none
 * @param connections most of them for each database, 1 to 1000
 * @param timeoutMillis longest wait for a connection, and for an answer, 10 to 600,000
 * @param retryMillis how long a write waits for a server that is away, 0 to 86,400,000
 * @param isDurable whether the server must be one that forgets nothing
 */
record RedisOptions(
    String host,
    int port,
    @Nullable String password,
    @Nullable Path passwordFile,
    int connections,
    int timeoutMillis,
    int retryMillis,
    boolean isDurable) {
  private static final String SCHEME = "redis";
  private static final int DEFAULT_PORT = 6379;
  private static final String LEGAL_URL = "legal: redis://host:port, a password as an option";

  /**
   * Takes the options that are known out of the map.
   *
   * @throws IllegalArgumentException naming an option, its value and what is legal
   */
  static RedisOptions take(Map<String, String> options) {
    URI url = url(options.remove("url"));
    String password = options.remove("password");
    String file = options.remove("password_file");
    if (password != null && file != null) {
      throw new IllegalArgumentException("password and password_file exclude each other");
    }
    return new RedisOptions(
        url.getHost().replaceAll("[\\[\\]]", ""),
        url.getPort() < 0 ? DEFAULT_PORT : url.getPort(),
        password,
        file == null ? null : absolute(file),
        number(options, "connections", 16, 1, 1000),
        number(options, "timeout_ms", 10_000, 10, 600_000),
        number(options, "retry_ms", 10_000, 0, 86_400_000),
        isTrue(options, "durable"));
  }

  private static URI url(@Nullable String text) {
    if (text == null) {
      throw new IllegalArgumentException("url is missing, " + LEGAL_URL);
    }
    try {
      URI url = new URI(text);
      boolean isPlain =
          SCHEME.equals(url.getScheme())
              && url.getHost() != null
              && url.getUserInfo() == null
              && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
              && url.getRawQuery() == null
              && url.getRawFragment() == null;
      if (isPlain) {
        return url;
      }
    } catch (URISyntaxException notOne) {
      throw new IllegalArgumentException("url is '" + text + "', " + LEGAL_URL, notOne);
    }
    // what stands before an @ may be a password
    throw new IllegalArgumentException(
        "url is '" + text.replaceFirst("//.*@", "//…@") + "', " + LEGAL_URL);
  }

  private static Path absolute(String file) {
    Path path = Path.of(file);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "password_file is '" + file + "', legal: an absolute path");
    }
    return path;
  }

  private static int number(
      Map<String, String> options, String name, int usual, int low, int high) {
    String text = options.remove(name);
    if (text == null) {
      return usual;
    }
    if (text.matches("\\d{1,9}")) {
      int value = Integer.parseInt(text);
      if (value >= low && value <= high) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "%s is '%s', legal: %d..%d".formatted(name, text, low, high));
  }

  private static boolean isTrue(Map<String, String> options, String name) {
    String text = options.remove(name);
    if (text == null || text.equals("true")) {
      return true;
    }
    if (text.equals("false")) {
      return false;
    }
    throw new IllegalArgumentException("%s is '%s', legal: true, false".formatted(name, text));
  }

  /**
   * The password of a new connection; null for none.
   *
   * @throws StoreException if the file cannot be read
   */
  @Nullable String secret() {
    if (passwordFile == null) {
      return password;
    }
    try {
      return Files.readString(passwordFile).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new StoreException("%s: cannot read %s".formatted(this, passwordFile), e);
    }
  }

  /** The server, without the password. */
  @Override
  public String toString() {
    return "redis://" + host + ":" + port;
  }
}
