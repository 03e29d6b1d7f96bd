package io.counterpart.cache.metadata.disk;

import java.io.IOException;

/** An action on files, which may fail. */
@FunctionalInterface
public interface DiskAction {
  void run() throws IOException;
}
