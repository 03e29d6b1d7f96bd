package io.counterpart.lab.result;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file atomically: a reader never sees half of it. Stateless. */
public final class WholeFile {
  private WholeFile() {}

  /** What goes into the file. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it; closing the stream is the caller's. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes or replaces a file; directories are made. If the content fails, nothing has changed. */
  public static void write(Path file, Content content) throws IOException {
    Path draft = draft(file);
    Files.createDirectories(parent(file));
    try {
      try (OutputStream out = Files.newOutputStream(draft)) {
        content.writeTo(out);
      }
      Files.move(draft, file.toAbsolutePath(), StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Where a file is while it is being written. */
  public static Path draft(Path file) throws IOException {
    // beside its target and with the user's own permissions, which a temporary file has not
    return parent(file).resolve("." + file.getFileName() + ".part");
  }

  private static Path parent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException("not a file: " + file);
    }
    return parent;
  }
}
