package io.counterpart.cache.launch;

import java.nio.file.Path;
import java.util.List;

/** A JVM of its own for a {@link CacheService}, on this one's class path. Stateless. */
public final class ProxyJvm {
  private ProxyJvm() {}

  /**
   * Its command line, up to the main class, which comes next.
   *
   * @param megabytes of the heap, and as much memory outside of it
   */
  public static List<String> command(int megabytes) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        // one thread works, and waits for any collector: this one costs least beside it
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        // one that has no memory left is better gone than half there
        "-XX:+ExitOnOutOfMemoryError",
        "-Xmx" + megabytes + "m",
        "-XX:MaxDirectMemorySize=" + megabytes + "m",
        "-cp",
        System.getProperty("java.class.path"));
  }
}
