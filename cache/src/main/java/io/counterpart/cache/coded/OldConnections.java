package io.counterpart.cache.coded;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Connections to a server that are used no more, though it may still do what was sent through them.
 * A command may be in two places: in the kernel of this machine, which goes on sending for a
 * process that has ended, and with the server, unread.
 *
 * <ul>
 *   <li>A connection that the server lists no more is done with.
 *   <li>A <em>silent</em> one gets nothing any more: this process has reset it, or its machine has
 *       been started anew. The server may list it for two hours, until it looks whether the other
 *       side lives. It is done with once the server, awake all the time, has done nothing of it for
 *       2 s.
 *   <li>An <em>orphan</em> is of a process that has ended on this machine since its start. Linux
 *       gives orphans up after 102 s (tcp_orphan_retries = 8), so it is silent after 120 s.
 *   <li>One that goes on for 120 s though it is silent, on a server that is awake all the time, is
 *       somebody else's with the same port.
 * </ul>
 *
 * Belongs to the shard's event loop.
 */
final class OldConnections {
  private static final Duration ORPHAN = Duration.ofSeconds(120);
  private static final Duration MOST = Duration.ofSeconds(120);
  private static final Duration IDLE = Duration.ofSeconds(2);

  /** A server that answers later than this may have slept, and all that it got is still unread. */
  private static final Duration NAP = Duration.ofSeconds(1);

  private final LongSupplier clockNanos;

  /** From when on each is silent, by local port. */
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

  /** A port that is in use again is that of no older connection. */
  void forget(int port) {
    silentFrom.remove(port);
  }

  boolean isEmpty() {
    return silentFrom.isEmpty();
  }

  /** Their local ports. */
  Set<Integer> ports() {
    return new TreeSet<>(silentFrom.keySet());
  }

  /** The longest that the server is waited for from now on. */
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
   * Takes what the server says now.
   *
   * @param idleSeconds of the connections that it lists, by their other side's port
   * @return whether it is done with all of them
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

  /** As {@link #look} of a server that answers, but not with a list: time alone ends them. */
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

  /** For how long it is silent, on a server that was awake; below 0 if it is not yet silent. */
  private long observedNanos(long now, long silentFromNanos) {
    return Math.min(now - silentFromNanos, now - awakeFromNanos);
  }
}
