package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.ResponseWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** What the proxy counts of its clients. Thread-safe. */
final class ProxyStatistics {
  /** What clients are told: the protocol's version first, since they read it. */
  static final String VERSION = "1.6.18-counterpart";

  private final long startNanos = System.nanoTime();
  private final LongAdder connections = new LongAdder();
  private final LongAdder connectionsEver = new LongAdder();
  private final LongAdder requests = new LongAdder();

  void connected() {
    connections.increment();
    connectionsEver.increment();
  }

  void disconnected() {
    connections.decrement();
  }

  void requested() {
    requests.increment();
  }

  /** Answers {@code stats}. */
  void write(List<String> arguments, ByteBuf out) {
    if (!arguments.isEmpty()) {
      writeGroup(arguments, out);
      return;
    }
    stat(out, "pid", ProcessHandle.current().pid());
    stat(out, "uptime", (System.nanoTime() - startNanos) / 1_000_000_000);
    stat(out, "time", System.currentTimeMillis() / 1000);
    ResponseWriter.stat(out, "version", VERSION);
    stat(out, "curr_connections", connections.sum());
    stat(out, "total_connections", connectionsEver.sum());
    stat(out, "cmd_total", requests.sum());
    Answer.END.writeTo(out);
  }

  private static void writeGroup(List<String> arguments, ByteBuf out) {
    switch (arguments.get(0).toLowerCase(Locale.ROOT)) {
      case "reset" -> Answer.RESET.writeTo(out);
      case "settings", "items", "slabs", "sizes", "conns" -> Answer.END.writeTo(out);
      case "detail" -> {
        if (arguments.size() > 1 && List.of("on", "off").contains(arguments.get(1))) {
          Answer.OK.writeTo(out);
        } else {
          ResponseWriter.clientError(out, "usage: stats detail on|off|dump");
        }
      }
      default -> Answer.ERROR.writeTo(out);
    }
  }

  private static void stat(ByteBuf out, String name, long value) {
    ResponseWriter.stat(out, name, Long.toString(value));
  }
}
