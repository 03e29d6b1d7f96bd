package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/** A sync of the log on another thread, while the log's owner goes on. */
public final class LogSync {
  private final LogFileWriter writer;
  private final long end;

  LogSync(LogFileWriter writer, long end) {
    this.writer = writer;
    this.end = end;
  }

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

  LogFileWriter writer() {
    return writer;
  }

  /** End of the durable part once the sync has succeeded. */
  long end() {
    return end;
  }
}
