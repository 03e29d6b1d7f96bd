package io.counterpart.cluster.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The places at which this machine allows control groups. Stateless and thread-safe.
 *
 * @param root the mount point
 * @param version 1: one hierarchy for each controller; 2: one for all
 */
public record ControlGroups(Path root, int version) {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");

  /** The machine's own, if memory and disk reads of a process can be limited by us. */
  public static Optional<ControlGroups> writable() {
    return writable(MOUNT);
  }

  static Optional<ControlGroups> writable(Path mount) {
    boolean unified = Files.exists(mount.resolve("cgroup.controllers"));
    ControlGroups groups = new ControlGroups(mount, unified ? 2 : 1);
    try (ControlGroup probe = groups.create("counterpart-probe-" + ProcessHandle.current().pid())) {
      return probe.canLimit() ? Optional.of(groups) : Optional.empty();
    } catch (IOException notAllowed) {
      return Optional.empty();
    }
  }

  /**
   * Makes a group; nothing is limited yet.
   *
   * @param name of the directory; one group only may have it
   * @throws IOException if the system does not let us
   */
  public ControlGroup create(String name) throws IOException {
    if (version == 2) {
      // what children may limit is switched on in the parent, and may be on already
      write(root.resolve("cgroup.subtree_control"), "+memory +io");
      return ControlGroup.unified(Files.createDirectories(root.resolve(name)));
    }
    Path memory = Files.createDirectories(root.resolve("memory").resolve(name));
    Path outOfMemory = memory.resolve("memory.oom_control");
    if (Files.isWritable(outOfMemory)) {
      // a process that outgrows its limit waits until that is raised, instead of being killed
      write(outOfMemory, "1");
    }
    return ControlGroup.perController(
        memory, Files.createDirectories(root.resolve("blkio").resolve(name)));
  }

  static void write(Path file, String value) throws IOException {
    Files.writeString(file, value);
  }
}
