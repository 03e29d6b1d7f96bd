package io.counterpart.cache.ownership;

import io.counterpart.cache.ring.KeyHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The place of a shard's metadata: one directory under one boot of a machine. Two processes of one
 * site exclude each other by the directory's lock; those of two sites do not. A reboot makes
 * another site. Thread-safe: no state.
 */
public final class OwnerSite {
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private OwnerSite() {}

  /** The site of an existing directory. */
  public static long of(Path directory) throws IOException {
    Path real = directory.toRealPath();
    Object inode = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    String name = read(HOST) + "\n" + boot() + "\n" + real + "\n" + inode;
    return KeyHash.of(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The id of the machine's boot; empty if the kernel does not tell. */
  public static String boot() {
    return read(BOOT);
  }

  /** Reads a file of the kernel; empty if it is missing: path and inode have to do then. */
  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
