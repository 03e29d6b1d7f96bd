package io.counterpart.engine.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The random name of one store on its server, kept in the store's directory. So nodes that share a
 * server do not share data, and a node whose disk was lost begins with an empty store.
 */
public final class StoreId {
  private static final String FILE = "store-id";
  private static final int BYTES = 8;

  private StoreId() {}

  /** The name in a directory, made if there is none: 16 hexadecimal digits. */
  public static String of(Path directory) {
    return find(directory).orElseGet(() -> create(directory));
  }

  /**
   * The name in a directory, if there is one.
   *
   * @throws StoreException if the file is damaged
   */
  public static Optional<String> find(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      String id = Files.readString(file, US_ASCII).strip();
      if (!id.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
        throw new StoreException("damaged: " + file);
      }
      return Optional.of(id);
    } catch (IOException e) {
      throw new StoreException("cannot read " + file, e);
    }
  }

  private static String create(Path directory) {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String id = HexFormat.of().formatHex(random);
    Path file = directory.resolve(FILE);
    try {
      DurableFiles.write(file, id + "\n");
      return id;
    } catch (IOException e) {
      throw new StoreException("cannot write " + file, e);
    }
  }
}
