package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/**
 * A sync of the log on another thread, while the log's owner goes on.
 *
 * @param end of the durable part once the sync has succeeded
 */
public record LogSync(LogFileWriter writer, long end) {

  /**
   * Waits for the disk; on any thread.
   *
   * @throws IOException if the disk fails
   */
  public void force() throws IOException {
    try {
      writer.force();
    } catch (ClosedChannelException e) {
      // the file has ended meanwhile, which synced it
    }
  }
}
