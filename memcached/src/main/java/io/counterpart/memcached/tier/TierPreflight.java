package io.counterpart.memcached.tier;

import io.counterpart.memcached.MemcachedProgram;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.Check;
import io.counterpart.process.MachineMemory;
import io.counterpart.process.TcpPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that the machine can hold a tier, before anything is started or written. */
public final class TierPreflight {

  private static final long MIB = 1 << 20;

  /** Memory of a memcached beside its items. */
  private static final long SERVER_OVERHEAD_MEGABYTES = 5;

  /** Memory of a JVM beside heap and buffers: code, metaspace, threads. */
  private static final long PROXY_OVERHEAD_MEGABYTES = 80;

  private TierPreflight() {}

  /**
   * A port to listen on.
   *
   * @param what its purpose
   */
  public record Listening(String what, String address, int port) {}

  /**
   * The processes to start.
   *
   * @param serverPorts of the memcached servers
   * @param spec of each
   * @param proxyPorts for the proxies to listen on
   * @param proxies number to start
   * @param proxyMegabytes memory for the heap and buffers of each
   */
  public record Need(
      List<Integer> serverPorts,
      MemcachedSpec spec,
      List<Listening> proxyPorts,
      int proxies,
      int proxyMegabytes) {

    public Need {
      serverPorts = List.copyOf(serverPorts);
      proxyPorts = List.copyOf(proxyPorts);
    }
  }

  /** Every check, passed or not. */
  public static List<Check> check(Need need) {
    List<Check> checks = new ArrayList<>();
    if (!need.serverPorts().isEmpty()) {
      checks.add(memcached(need.spec()));
    }
    checks.add(ports(need));
    checks.add(memory(need));
    return List.copyOf(checks);
  }

  private static Check memcached(MemcachedSpec spec) {
    Optional<MemcachedProgram> program = MemcachedProgram.find(spec.program());
    return new Check(
        "memcached",
        program.isPresent(),
        program
            .map(found -> found.file().toString())
            .orElse("no program " + spec.program() + " in PATH"),
        MemcachedProgram.ADVICE);
  }

  private static Check ports(Need need) {
    List<Listening> wanted = new ArrayList<>(need.proxyPorts());
    need.serverPorts()
        .forEach(port -> wanted.add(new Listening("memcached", MemcachedSpec.ADDRESS, port)));
    List<String> taken =
        wanted.stream()
            .filter(port -> !TcpPort.isFree(port.address(), port.port()))
            .map(port -> "%s:%d (%s)".formatted(port.address(), port.port(), port.what()))
            .toList();
    return Check.ports(taken, "free ports (another memcached? choose others with --port)");
  }

  private static Check memory(Need need) {
    int count = need.serverPorts().size();
    long needed =
        count * (need.spec().memoryMegabytes() + SERVER_OVERHEAD_MEGABYTES)
            + need.proxies() * (need.proxyMegabytes() + PROXY_OVERHEAD_MEGABYTES);
    long available = MachineMemory.availableBytes() / MIB;
    return new Check(
        "memory",
        available >= needed,
        available + " MiB available",
        "%d MiB for %d servers of %d MiB and %s"
            .formatted(
                needed,
                count,
                need.spec().memoryMegabytes(),
                need.proxies() == 1 ? "the proxy" : need.proxies() + " proxies"));
  }
}
