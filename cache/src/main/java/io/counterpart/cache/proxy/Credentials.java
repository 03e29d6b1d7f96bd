package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * The accepted user names and passwords, from a file in the form of memcached's {@code -Y}. A user
 * may have several passwords. Thread-safe: immutable.
 */
public final class Credentials {
  /** Most lines of a file. */
  public static final int MAX_USERS = 64;

  /** The longest user name, and the longest password. */
  public static final int MAX_BYTES = 250;

  private static final String LEGAL =
      "user:password, each of 1 to " + MAX_BYTES + " bytes without a space";

  private final List<byte[]> tokens;
  private final String first;

  private Credentials(List<String> tokens) {
    this.tokens = tokens.stream().map(token -> token.getBytes(UTF_8)).toList();
    this.first = tokens.get(0);
  }

  /**
   * Reads a file of lines {@code user:password}; blank lines are skipped.
   *
   * @throws IOException with the file, the line's number and the legal form; never with a password
   */
  public static Credentials read(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " cannot be read; needed: a file of lines user:password");
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(file, UTF_8);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not UTF-8 text; legal: lines user:password", e);
    }
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        tokens.add(token(file, i + 1, lines.get(i)));
      }
    }
    if (tokens.isEmpty() || tokens.size() > MAX_USERS) {
      throw new IOException(
          "%s has %d users; legal: 1 to %d lines user:password"
              .formatted(file, tokens.size(), MAX_USERS));
    }
    return new Credentials(tokens);
  }

  private static String token(Path file, int number, String line) throws IOException {
    int colon = line.indexOf(':');
    if (colon < 0 || !isLegal(line.substring(0, colon)) || !isLegal(line.substring(colon + 1))) {
      throw new IOException("line %d of %s; legal: %s".formatted(number, file, LEGAL));
    }
    return line.substring(0, colon) + " " + line.substring(colon + 1);
  }

  private static boolean isLegal(String word) {
    int length = word.getBytes(UTF_8).length;
    return length >= 1 && length <= MAX_BYTES && word.chars().noneMatch(Credentials::splits);
  }

  // characters that end a word on the wire
  private static boolean splits(int character) {
    return character <= ' ' || character == 0x7f;
  }

  /** The first user's credentials: the name, a space, the password. */
  public String first() {
    return first;
  }

  /**
   * Whether these bytes are a user, a space and its password. The time does not depend on what is
   * wrong.
   *
   * @param token at most the lengths of both and the space
   */
  boolean accept(byte[] token) {
    boolean accepted = false;
    for (byte[] known : tokens) {
      accepted |= MessageDigest.isEqual(known, token);
    }
    return accepted;
  }
}
