package io.counterpart.cache.forward;

import io.counterpart.cache.backend.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of a tier's owner for its followers: the file {@code address} beside the lock,
 * readable only by its own user. Nobody answers to the ownership secret in a file that a killed
 * owner left behind.
 *
 * @param server where it listens to followers
 * @param secret the secret of this ownership
 * @param control its socket for operators' commands; null if it has none
 */
public record OwnerAddress(ServerAddress server, OwnershipSecret secret, @Nullable Path control) {
  private static final String FILE = "address";

  /**
   * Reads the address.
   *
   * @param directory of the lock
   * @return empty if no owner has published one
   * @throws IOException if it cannot be read, or is malformed
   */
  public static Optional<OwnerAddress> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException nobody) {
      return Optional.empty();
    }
    if (lines.stream().allMatch(line -> line.trim().isEmpty())) {
      return Optional.empty(); // it is not synced: a loss of power may leave it without content
    }
    try {
      return Optional.of(
          new OwnerAddress(
              ServerAddress.parse(lines.get(0)),
              OwnershipSecret.parse(lines.get(1)),
              lines.size() == 2 ? null : Path.of(lines.get(2))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException(
          "%s has %s, not an address, a secret and perhaps a path: delete it"
              .formatted(file, lines),
          e);
    }
  }

  /** Publishes the address; readers see the old or the new one, never a mixture. */
  public void write(Path directory) throws IOException {
    String control = this.control == null ? "" : this.control + "\n";
    // only its own user can open it
    Path next = Files.createTempFile(directory, FILE, ".next");
    Files.writeString(next, server + "\n" + secret + "\n" + control);
    Files.move(
        next,
        directory.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Withdraws this address, unless the next owner has published its own by now. */
  public void withdraw(Path directory) throws IOException {
    if (read(directory).filter(found -> found.secret().equals(secret)).isPresent()) {
      Files.deleteIfExists(directory.resolve(FILE));
    }
  }
}
