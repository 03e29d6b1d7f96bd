package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Counters of a proxy's clients, since its start. Thread-safe. */
public final class ProxyStatistics {
  /** The version for clients; it begins with the protocol's version, because clients parse it. */
  public static final String VERSION = "1.6.18-counterpart";

  /**
   * The use of memory for requests.
   *
   * @param heldBytes memory in use
   * @param totalBytes that may be in use
   * @param clientBytes that one client may use
   * @param waiting clients that wait for memory
   * @param closedClients clients that were closed because others waited for their memory
   */
  public record MemoryUse(
      long heldBytes, long totalBytes, long clientBytes, long waiting, long closedClients) {
    static MemoryUse of(Collection<MemoryBudget> budgets) {
      return new MemoryUse(
          budgets.stream().mapToLong(budget -> budget.heldBytes()).sum(),
          budgets.stream().mapToLong(budget -> budget.limits().totalBytes()).sum(),
          budgets.stream().mapToLong(budget -> budget.limits().clientBytes()).max().orElse(0),
          budgets.stream().mapToLong(budget -> budget.waiting()).sum(),
          budgets.stream().mapToLong(budget -> budget.closedClients()).sum());
    }
  }

  private final long startMillis = System.currentTimeMillis();
  private final long startNanos = System.nanoTime();
  private final ClientCounts counts = new ClientCounts();
  private final PrefixCounts prefixes = new PrefixCounts();
  private final Set<Channel> connected = ConcurrentHashMap.newKeySet();
  private final Supplier<String> role;
  private final List<MemoryBudget> memory;
  private volatile InetSocketAddress address = InetSocketAddress.createUnresolved("", 0);
  private volatile Access access = Access.OPEN;

  /**
   * @param role the proxy's role in its tier; empty for none
   * @param memory budgets of all event loops
   */
  ProxyStatistics(Supplier<String> role, List<MemoryBudget> memory) {
    this.role = role;
    this.memory = List.copyOf(memory);
  }

  /** Sets the address for clients, and the requirements of them. */
  void listens(InetSocketAddress at, Access asked) {
    address = at;
    access = asked;
  }

  void connected(Channel client) {
    connected.add(client);
    counts.add(Count.TOTAL_CONNECTIONS);
  }

  void disconnected(Channel client) {
    connected.remove(client);
  }

  /**
   * Counts a read. For a client that is to compute the value it is a miss.
   *
   * @param touches whether the object got a new expiry: memcached does not count it as read then
   */
  void read(GetOutcome outcome, boolean touches) {
    boolean isFound = outcome instanceof GetOutcome.Found found && !found.item().won();
    boolean isUnread = outcome instanceof GetOutcome.None none && none.status() != Status.NOT_FOUND;
    counts.add(touches ? Count.CMD_TOUCH : Count.CMD_GET);
    if (isUnread) {
      counts.add(Count.GET_UNAVAILABLE);
    } else if (touches) {
      counts.add(isFound ? Count.TOUCH_HITS : Count.TOUCH_MISSES);
      counts.add(isFound ? Count.GAT_HITS : Count.GAT_MISSES);
    } else {
      counts.add(isFound ? Count.GET_HITS : Count.GET_MISSES);
    }
  }

  void stored(StoreMode mode, Status status) {
    switch (status) {
      case DONE -> counts.add(Count.TOTAL_ITEMS);
      case TOO_LARGE -> counts.add(Count.STORE_TOO_LARGE);
      case OUT_OF_MEMORY -> counts.add(Count.STORE_NO_MEMORY);
      default -> {}
    }
    if (mode == StoreMode.CAS) {
      switch (status) {
        case DONE -> counts.add(Count.CAS_HITS);
        case EXISTS -> counts.add(Count.CAS_BADVAL);
        case NOT_FOUND -> counts.add(Count.CAS_MISSES);
        default -> {}
      }
    }
  }

  void deleted(Status status) {
    Status found = status == Status.EXISTS ? Status.NOT_FOUND : status;
    count(found, Count.DELETE_HITS, Count.DELETE_MISSES);
  }

  void added(boolean increments, Status status) {
    count(
        status,
        increments ? Count.INCR_HITS : Count.DECR_HITS,
        increments ? Count.INCR_MISSES : Count.DECR_MISSES);
  }

  void touched(Status status) {
    counts.add(Count.CMD_TOUCH);
    count(status, Count.TOUCH_HITS, Count.TOUCH_MISSES);
  }

  private void count(Status status, Count hit, Count miss) {
    if (status == Status.DONE) {
      counts.add(hit);
    } else if (status == Status.NOT_FOUND) {
      counts.add(miss);
    }
  }

  void authenticated(boolean accepted) {
    counts.add(Count.AUTH_CMDS);
    counts.add(Count.AUTH_ERRORS, accepted ? 0 : 1);
  }

  /** Counts of clients' operations. */
  public ClientCounts counts() {
    return counts;
  }

  /** The connected clients. */
  Set<Channel> clients() {
    return connected;
  }

  /** The proxy's role in its tier; empty for none. */
  String role() {
    return role.get();
  }

  /** The address for clients. */
  InetSocketAddress address() {
    return address;
  }

  /** The requirements of clients. */
  Access access() {
    return access;
  }

  /** Seconds since the start. */
  long uptimeSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
  }

  /** Counts of classic commands by the prefix of their keys. */
  PrefixCounts prefixes() {
    return prefixes;
  }

  /** Resets the counts that clients see. */
  void reset() {
    counts.reset();
    prefixes.clear();
  }

  /** Memory of requests. */
  public MemoryUse memory() {
    return MemoryUse.of(memory);
  }

  /** Number of threads that serve clients and servers. */
  long threads() {
    return memory.stream().map(MemoryBudget::loop).distinct().count();
  }

  /** Start of the proxy, in milliseconds since 1970. */
  public long startMillis() {
    return startMillis;
  }

  /** Number of connected clients. */
  public long connections() {
    return connected.size();
  }
}
