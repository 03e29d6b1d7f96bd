package io.counterpart.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A home for clusters whose data nobody wants after their run. Thread-safe: no state. */
public final class ThrowawayHome {
  /** The file beside the record of such a cluster; a purge deletes it with the cluster. */
  private static final String MARK = "throwaway.cluster";

  private ThrowawayHome() {}

  /**
   * Makes a directory one, unless it has a cluster with data to keep.
   *
   * @return false, and nothing has changed, if it has one
   */
  public static boolean take(Path home) throws IOException {
    Path mark = mark(home);
    if (Files.exists(ClusterState.file(home)) && !Files.exists(mark)) {
      return false;
    }
    Files.createDirectories(home);
    Files.writeString(mark, "");
    return true;
  }

  /** Makes it no such home any more, before a cluster starts there whose data are wanted. */
  public static void keep(Path home) throws IOException {
    Files.deleteIfExists(mark(home));
  }

  static Path mark(Path home) {
    return home.resolve(MARK);
  }
}
