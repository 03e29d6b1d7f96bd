package io.counterpart.cache.ownership;

import io.counterpart.cache.ring.KeyHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Where a shard's metadata are: one directory of one kernel. Two processes of one site know of each
 * other by the directory's lock; those of two sites do not. A restart of the machine makes another
 * site. Thread-safe: no state.
 */
public final class OwnerSite {
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private OwnerSite() {}

  /** The site of a directory that exists. */
  public static long of(Path directory) throws IOException {
    Path real = directory.toRealPath();
    Object inode = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    String name = read(HOST) + "\n" + boot() + "\n" + real + "\n" + inode;
    return KeyHash.of(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Names this start of the machine; empty where the kernel does not tell. */
  public static String boot() {
    return read(BOOT);
  }

  /** Where a kernel does not tell, path and inode have to do. */
  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
