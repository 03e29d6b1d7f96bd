package io.counterpart.cache.proxy;

import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.RequestDecoder;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;

/**
 * The lines that answer {@code stats}, under memcached's names. Lines that only the servers know
 * are omitted while none of them answers. Belongs to the event loop.
 */
final class StatsLines {
  private final ProxyStatistics statistics;

  StatsLines(ProxyStatistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Answers {@code stats}. The answer stays below 4096 bytes, which is all that collectd reads.
   *
   * @param servers the servers' statistics; empty if none answers, and then their lines are omitted
   */
  void plain(Map<String, Long> servers, ByteBuf out) {
    stat(out, "pid", ProcessHandle.current().pid());
    stat(out, "uptime", statistics.uptimeSeconds());
    stat(out, "time", System.currentTimeMillis() / 1000);
    ResponseWriter.stat(out, "version", ProxyStatistics.VERSION);
    ResponseWriter.stat(out, "libevent", "none");
    stat(out, "pointer_size", ProcessUsage.pointerBits());
    ProcessUsage.CpuTime cpuTime = ProcessUsage.cpuTime();
    ResponseWriter.stat(out, "rusage_user", cpuTime.user());
    ResponseWriter.stat(out, "rusage_system", cpuTime.system());
    stat(out, "max_connections", ProxyServer.mostClients(ProcessUsage.mostConnections()));
    stat(out, "curr_connections", statistics.connections());
    stat(out, "connection_structures", statistics.connections());
    for (Count count : Count.values()) {
      stat(out, count.stat(), statistics.counts().sinceReset(count));
    }
    servers.forEach((name, number) -> stat(out, name, number));
    stat(out, "threads", statistics.threads());
    constants(out);
    ProxyStatistics.MemoryUse memory = statistics.memory();
    stat(out, "request_memory", memory.heldBytes());
    stat(out, "request_memory_limit", memory.totalBytes());
    stat(out, "client_memory_limit", memory.clientBytes());
    stat(out, "clients_waiting", memory.waiting());
    stat(out, "stalled_clients", memory.closedClients());
    String now = statistics.role();
    if (!now.isEmpty()) {
      ResponseWriter.stat(out, "role", now);
    }
    Answer.END.writeTo(out);
  }

  /** Writes the constant lines: the proxy always listens. */
  private static void constants(ByteBuf out) {
    stat(out, "accepting_conns", 1);
    stat(out, "listen_disabled_num", 0);
    stat(out, "time_in_listen_disabled_us", 0);
    stat(out, "conn_yields", 0);
    stat(out, "unexpected_napi_ids", 0);
    stat(out, "round_robin_fallback", 0);
  }

  /**
   * Answers {@code stats settings}: the proxy's equivalents of memcached's settings. Those of slabs
   * and of eviction belong to the servers.
   */
  void settings(Map<String, Long> servers, ByteBuf out) {
    Long limit = servers.get(SummedStatistics.LIMIT_BYTES);
    if (limit != null) {
      stat(out, "maxbytes", limit);
    }
    stat(out, "maxconns", ProxyServer.mostClients(ProcessUsage.mostConnections()));
    stat(out, "tcpport", statistics.address().getPort());
    stat(out, "udpport", 0);
    ResponseWriter.stat(out, "inter", statistics.address().getHostString());
    stat(out, "verbosity", 0);
    ResponseWriter.stat(out, "domain_socket", "NULL");
    ResponseWriter.stat(out, "shutdown_command", "no");
    stat(out, "num_threads", statistics.threads());
    ResponseWriter.stat(out, "stat_key_prefix", ":");
    ResponseWriter.stat(out, "detail_enabled", yes(statistics.prefixes().isOn()));
    ResponseWriter.stat(out, "cas_enabled", "yes");
    stat(out, "tcp_backlog", ProxyServer.BACKLOG);
    ResponseWriter.stat(out, "binding_protocol", "ascii");
    ResponseWriter.stat(out, "auth_enabled_sasl", "no");
    ResponseWriter.stat(out, "auth_enabled_ascii", yes(statistics.access().credentials() != null));
    stat(out, "item_size_max", RequestDecoder.MAX_VALUE_BYTES);
    ResponseWriter.stat(out, "maxconns_fast", "no");
    ResponseWriter.stat(out, "lru_crawler", "no");
    ResponseWriter.stat(out, "flush_enabled", "yes");
    ResponseWriter.stat(out, "dump_enabled", "no");
    stat(out, "idle_timeout", 0);
    ResponseWriter.stat(out, "track_sizes", "no");
    ResponseWriter.stat(out, "ssl_enabled", yes(statistics.access().tls() != null));
    Answer.END.writeTo(out);
  }

  private static String yes(boolean is) {
    return is ? "yes" : "no";
  }

  /** Answers {@code stats conns}: the address of each client. */
  void connections(ByteBuf out) {
    int number = 0;
    for (Channel client : statistics.clients()) {
      ResponseWriter.stat(out, number + ":addr", text(client.remoteAddress()));
      ResponseWriter.stat(out, number + ":listen_addr", text(client.localAddress()));
      ResponseWriter.stat(
          out, number + ":state", client.config().isAutoRead() ? "conn_read" : "conn_waiting");
      number++;
    }
    Answer.END.writeTo(out);
  }

  private static String text(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? "tcp:" + inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : "tcp";
  }

  private static void stat(ByteBuf out, String name, long value) {
    ResponseWriter.stat(out, name, Long.toString(value));
  }
}
