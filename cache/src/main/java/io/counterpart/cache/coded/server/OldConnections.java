package io.counterpart.cache.coded.server;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Connections to a server that are no longer used, although the server may still execute their
 * commands. A command may be in two places: in the kernel of this machine, which goes on sending
 * for a process that has ended, and at the server, unread.
 *
 * <ul>
 *   <li>A connection that the server no longer lists is drained.
 *   <li>A <em>silent</em> connection gets no more bytes: this process has reset it, or its machine
 *       has rebooted. The server may list it for two hours, until it checks whether the other side
 *       lives. It is drained once the server, awake all the time, has executed nothing of it for
 *       two seconds.
 *   <li>An <em>orphan</em> belongs to a process of this boot that has ended. Linux gives orphans up
 *       after 102 s (tcp_orphan_retries = 8), so it is silent after 120 s.
 *   <li>A connection that is active 120 s after it became silent, on a server that is awake all the
 *       time, is another client's with the same port.
 * </ul>
 *
 * Belongs to the shard's event loop.
 */
final class OldConnections {
  private static final Duration ORPHAN = Duration.ofSeconds(120);
  private static final Duration MOST = Duration.ofSeconds(120);
  private static final Duration IDLE = Duration.ofSeconds(2);

  /** Gap between answers above which a server may have slept, with all that it got still unread. */
  private static final Duration NAP = Duration.ofSeconds(1);

  private final LongSupplier clockNanos;

  /** Time at which each connection is silent, by local port. */
  private final Map<Integer, Long> silentFrom = new HashMap<>();

  private long lookedNanos;
  private long awakeFromNanos;

  OldConnections(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
    this.lookedNanos = clockNanos.getAsLong();
    this.awakeFromNanos = lookedNanos;
  }

  void addSilent(Collection<Integer> ports) {
    ports.forEach(port -> silentFrom.putIfAbsent(port, clockNanos.getAsLong()));
  }

  void addOrphans(Collection<Integer> ports) {
    long end = clockNanos.getAsLong() + ORPHAN.toNanos();
    ports.forEach(port -> silentFrom.putIfAbsent(port, end));
  }

  /** Removes a port that a new connection uses: it belongs to no older one. */
  void forget(int port) {
    silentFrom.remove(port);
  }

  boolean isEmpty() {
    return silentFrom.isEmpty();
  }

  /** The local ports of the connections. */
  Set<Integer> ports() {
    return new TreeSet<>(silentFrom.keySet());
  }

  /** Upper bound on the further wait for the server. */
  Duration longest() {
    long now = clockNanos.getAsLong();
    long longest =
        silentFrom.values().stream()
            .mapToLong(from -> MOST.toNanos() - observedNanos(now, from))
            .max()
            .orElse(0);
    return Duration.ofNanos(Math.max(0, longest));
  }

  /**
   * Takes the server's present list.
   *
   * @param idleSeconds of the listed connections, by the port of their client side
   * @return whether all connections are drained
   */
  boolean look(Map<Integer, Integer> idleSeconds) {
    long now = answered();
    silentFrom
        .entrySet()
        .removeIf(
            old -> {
              Integer idle = idleSeconds.get(old.getKey());
              return idle == null || isSpent(now, old.getValue(), idle);
            });
    return silentFrom.isEmpty();
  }

  /** As {@link #look}, for a server that answers without a list: time alone ends the wait. */
  boolean lookWithoutList() {
    long now = answered();
    silentFrom.values().removeIf(from -> observedNanos(now, from) >= MOST.toNanos());
    return silentFrom.isEmpty();
  }

  private long answered() {
    long now = clockNanos.getAsLong();
    if (now - lookedNanos > NAP.toNanos()) {
      awakeFromNanos = now;
    }
    lookedNanos = now;
    return now;
  }

  private boolean isSpent(long now, long silentFromNanos, int idleSeconds) {
    long observed = observedNanos(now, silentFromNanos);
    boolean isIdle = observed >= IDLE.toNanos() && idleSeconds >= IDLE.toSeconds();
    return isIdle || observed >= MOST.toNanos();
  }

  /**
   * Time for which a connection was silent on a server that was awake; negative before it is
   * silent.
   */
  private long observedNanos(long now, long silentFromNanos) {
    return Math.min(now - silentFromNanos, now - awakeFromNanos);
  }
}
