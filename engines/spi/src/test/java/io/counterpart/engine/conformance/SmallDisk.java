package io.counterpart.engine.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system in memory of a chosen size, so that a server's disk can be full. Needs root. */
public final class SmallDisk implements AutoCloseable {
  private static final int LIMIT_SECONDS = 20;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one; where that is not allowed, says so and skips the test. */
  public static SmallDisk mount(Path directory, int mebibytes) {
    SmallDisk disk = new SmallDisk(directory.toAbsolutePath());
    boolean isMounted;
    try {
      Files.createDirectories(disk.directory);
      isMounted = disk.run("mount", "-t", "tmpfs", "-o", size(mebibytes), "tmpfs", disk.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!isMounted) {
      System.err.println("SKIPPED: a full disk needs root, to mount a small file system");
    }
    Assumptions.assumeTrue(isMounted, "a small file system cannot be mounted");
    return disk;
  }

  /** Where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Bytes in use. */
  public long usedBytes() throws IOException {
    var store = Files.getFileStore(directory);
    return store.getTotalSpace() - store.getUnallocatedSpace();
  }

  /** Gives it another size, at least what is in use. */
  public void resize(int mebibytes) throws IOException {
    if (!run("mount", "-o", "remount," + size(mebibytes), path())) {
      throw new IOException(directory + " does not get " + mebibytes + " MiB");
    }
  }

  private static String size(int mebibytes) {
    return "size=" + mebibytes + "m";
  }

  private String path() {
    return directory.toString();
  }

  private boolean run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + List.of(command), e);
    }
  }

  /** Unmounts it, also under a server that still ends. */
  @Override
  public void close() throws IOException {
    if (!run("umount", "-l", path())) {
      throw new IOException(directory + " is not unmounted");
    }
    Files.delete(directory);
  }
}
