package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A server's answer to {@code stats}: names with their values, a line each. Belongs to the server's
 * event loop.
 */
public final class StatsAnswer implements Consumer<ServerReply> {
  private final Map<String, String> values = new HashMap<>();
  private final Consumer<Map<String, String>> done;

  /**
   * @param done gets the values by name; none if the server answers with an error
   */
  public StatsAnswer(Consumer<Map<String, String>> done) {
    this.done = done;
  }

  @Override
  public void accept(ServerReply reply) {
    if (reply.status() == ReplyStatus.STAT) {
      String[] words = reply.text().strip().split(" ", 2);
      if (words.length == 2) {
        values.put(words[0], words[1]);
      }
    } else {
      done.accept(reply.status() == ReplyStatus.END ? values : Map.of());
    }
  }
}
