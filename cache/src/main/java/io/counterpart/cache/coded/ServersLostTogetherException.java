package io.counterpart.cache.coded;

import java.io.IOException;

/**
 * Servers of more than n − k rings were lost while they were written to. They may be back with all
 * of their items, so they are not emptied; the next start finishes the writes that were under way.
 */
public final class ServersLostTogetherException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param server the last one
   * @param rings with such a server
   */
  ServersLostTogetherException(String server, int rings) {
    super(
        "writes to servers of %d rings were under way when these were lost, the last one %s; they are"
                .formatted(rings, server)
            + " finished when the servers are back");
  }
}
