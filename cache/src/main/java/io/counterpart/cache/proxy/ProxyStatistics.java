package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** What the proxy counts of its clients, since its start. Thread-safe. */
public final class ProxyStatistics {
  /** What clients are told: the protocol's version first, since they read it. */
  public static final String VERSION = "1.6.18-counterpart";

  private final long startMillis = System.currentTimeMillis();
  private final long startNanos = System.nanoTime();
  private final LongAdder connections = new LongAdder();
  private final LongAdder connectionsEver = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder unread = new LongAdder();
  private final LongAdder stores = new LongAdder();
  private final LongAdder touches = new LongAdder();
  private final LongAdder flushes = new LongAdder();
  private final LongAdder authenticated = new LongAdder();
  private final LongAdder refused = new LongAdder();

  private final Supplier<String> role;
  private final MemoryBudget memory;

  /**
   * @param role what the proxy is to its tier; empty for nothing
   */
  ProxyStatistics(Supplier<String> role, MemoryBudget memory) {
    this.role = role;
    this.memory = memory;
  }

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

  /** A client that is to compute the value has missed it. */
  void read(GetOutcome outcome) {
    if (outcome instanceof GetOutcome.Found found) {
      (found.item().won() ? misses : hits).increment();
    } else {
      boolean absent = ((GetOutcome.None) outcome).status() == Status.NOT_FOUND;
      (absent ? misses : unread).increment();
    }
  }

  void stored() {
    stores.increment();
  }

  void touched() {
    touches.increment();
  }

  void flushed() {
    flushes.increment();
  }

  void authenticated(boolean accepted) {
    (accepted ? authenticated : refused).increment();
  }

  /** Memory of requests. */
  public MemoryBudget memory() {
    return memory;
  }

  /** When the proxy began, in milliseconds since 1970. */
  public long startMillis() {
    return startMillis;
  }

  /** Clients that are connected. */
  public long connections() {
    return connections.sum();
  }

  /** Clients that have connected. */
  public long connectionsEver() {
    return connectionsEver.sum();
  }

  /** Requests of all kinds; one that reads many keys is one. */
  public long requests() {
    return requests.sum();
  }

  /** Keys that were read and found. */
  public long hits() {
    return hits.sum();
  }

  /** Keys that were read and not there, or whose value the client was told to compute. */
  public long misses() {
    return misses.sum();
  }

  /** Keys that could not be read, because servers were down or the store did not answer. */
  public long unread() {
    return unread.sum();
  }

  /** Commands that store a value, whatever became of them. */
  public long stores() {
    return stores.sum();
  }

  /** Commands {@code touch}. */
  public long touches() {
    return touches.sum();
  }

  /** Commands {@code flush_all}. */
  public long flushes() {
    return flushes.sum();
  }

  /** Clients that proved who they are. */
  public long authenticated() {
    return authenticated.sum();
  }

  /** Wrong names or passwords. */
  public long refused() {
    return refused.sum();
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
    stat(out, "curr_connections", connections());
    stat(out, "total_connections", connectionsEver());
    stat(out, "cmd_total", requests());
    stat(out, "cmd_get", hits() + misses() + unread());
    stat(out, "cmd_set", stores());
    stat(out, "cmd_touch", touches());
    stat(out, "cmd_flush", flushes());
    stat(out, "get_hits", hits());
    stat(out, "get_misses", misses());
    stat(out, "get_unavailable", unread());
    stat(out, "auth_cmds", authenticated() + refused());
    stat(out, "auth_errors", refused());
    stat(out, "request_memory", memory.heldBytes());
    stat(out, "request_memory_limit", memory.limits().totalBytes());
    stat(out, "client_memory_limit", memory.limits().clientBytes());
    stat(out, "clients_waiting", memory.waiting());
    stat(out, "stalled_clients", memory.closedClients());
    String now = role.get();
    if (!now.isEmpty()) {
      ResponseWriter.stat(out, "role", now);
    }
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
