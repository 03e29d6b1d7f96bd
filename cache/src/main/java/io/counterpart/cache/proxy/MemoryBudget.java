package io.counterpart.cache.proxy;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all clients' requests. A request begins once the most memory that it may take is
 * free. So an answer of a server always has room: servers are read at all times, and work that
 * holds locks or frees memory never stops. Clients wait instead, and are not read meanwhile.
 *
 * <pre>
 *   share of a client = its limit × (free / total)²
 * </pre>
 *
 * The more memory is taken, the less a further client may take: n clients that do not read, each
 * with a limit of an eighth, leave 1 / (1 + n/8) of the total free, 50 of them a seventh. A client
 * without a request under way may begin one whatever its share. Received bytes of unfinished
 * requests take at most half of the total, so that complete ones can be done.
 *
 * <p>If a client waits for three seconds within its share, nobody overtakes it any more, except
 * complete requests if it waits for a share of that half. Clients that hold memory and neither take
 * nor send a byte for three seconds, or are at one request for thirty, are then closed, the largest
 * first, until there is enough.
 *
 * <p>Belongs to its event loop, except {@link #limits}, {@link #heldBytes}, {@link #waiting} and
 * {@link #closedClients}.
 */
public final class MemoryBudget {
  /** Patience in sweeps, one a second. */
  static final int PATIENCE_SWEEPS = 3;

  /**
   * Sweeps after which also a client is closed that moves, but slowly, and a proxy that does not.
   */
  static final int MOST_SWEEPS = 30;

  private static final long SWEEP_MILLIS = 1000;

  private final EventLoop loop;
  private final MemoryLimits limits;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong waitingCount = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();
  private final Set<MemoryAccount> accounts = new LinkedHashSet<>();
  private final Map<MemoryAccount, Waiter> waiters = new LinkedHashMap<>();
  private long receivedBytes;
  private boolean passScheduled;
  private boolean sweeping;
  private @Nullable MemoryAccount urgent;

  /** A client that waits for memory. */
  private static final class Waiter {
    private final boolean receives;
    private final long bytes;
    private final Runnable resume;
    private int sweeps;

    Waiter(boolean receives, long bytes, Runnable resume) {
      this.receives = receives;
      this.bytes = bytes;
      this.resume = resume;
    }
  }

  /**
   * @param loop of the clients
   */
  public MemoryBudget(EventLoop loop, MemoryLimits limits) {
    this.loop = loop;
    this.limits = limits;
  }

  /** The event loop of its clients. */
  public EventLoop loop() {
    return loop;
  }

  /** The limits. */
  public MemoryLimits limits() {
    return limits;
  }

  /** Memory in use. */
  public long heldBytes() {
    return held.get();
  }

  /** Number of clients that wait for memory. */
  public long waiting() {
    return waitingCount.get();
  }

  /** Number of clients that were closed because others waited for their memory. */
  public long closedClients() {
    return closed.get();
  }

  /**
   * Opens a client's account.
   *
   * @param isProxy whether the client stands for many: it may take half, and is closed only if it
   *     does not move for {@link #MOST_SWEEPS}
   */
  MemoryAccount open(MemoryAccount.Holder holder, boolean isProxy) {
    MemoryAccount account = new MemoryAccount(this, holder, isProxy);
    accounts.add(account);
    return account;
  }

  /**
   * Opens an account for operations that come from another event loop of this process, each with
   * memory of its client's budget. Belongs to this budget's event loop.
   */
  public MemoryAccount openForLoop() {
    return open(new MemoryAccount.OtherLoop(), true);
  }

  /** The assumed need of a request: no more than is free when no other is under way. */
  public long workCost(long bytes) {
    return Math.min(bytes, limits.totalBytes() * 3 / 8);
  }

  /** The assumed need of an unfinished request. */
  long inputCost(long bytes) {
    return Math.min(bytes, limits.totalBytes() / 4);
  }

  private long free() {
    return limits.totalBytes() - held.get();
  }

  private boolean isFree(boolean receives, long bytes) {
    return bytes <= free() && (!receives || receivedBytes + bytes <= limits.totalBytes() / 2);
  }

  private boolean isWithinShare(MemoryAccount account, boolean receives, long bytes) {
    if (receives || account.workBytes() == 0) {
      return true;
    }
    double free = Math.max(0, free()) / (double) limits.totalBytes();
    long most =
        account.isProxy() ? limits.totalBytes() / 2 : (long) (free * free * limits.clientBytes());
    return account.workBytes() + bytes <= most;
  }

  boolean fits(MemoryAccount account, boolean receives, long bytes) {
    return mayGoFirst(account, receives)
        && isFree(receives, bytes)
        && isWithinShare(account, receives, bytes);
  }

  /**
   * Whether a client need not wait for the urgent one: a complete request takes nothing of the half
   * for unfinished ones.
   */
  private boolean mayGoFirst(MemoryAccount account, boolean receives) {
    Waiter first = urgent == null ? null : waiters.get(urgent);
    return first == null || urgent == account || !receives && lacksHalf(first);
  }

  private boolean lacksHalf(Waiter waiter) {
    return waiter.receives && receivedBytes + waiter.bytes > limits.totalBytes() / 2;
  }

  boolean isFree(long bytes) {
    return bytes <= free();
  }

  /** Adds to the memory in use, or subtracts from it. */
  void add(long bytes, boolean receives) {
    held.addAndGet(bytes);
    receivedBytes += receives ? bytes : 0;
    if (bytes < 0) {
      schedulePass();
    }
  }

  void await(MemoryAccount account, boolean receives, long bytes, Runnable resume) {
    Waiter before = waiters.get(account);
    if (before != null && before.receives == receives && before.bytes == bytes) {
      return;
    }
    Waiter waiter = new Waiter(receives, bytes, resume);
    waiter.sweeps = before == null ? 0 : before.sweeps;
    waiters.put(account, waiter);
    waitingCount.set(waiters.size());
    // the memory may be free already, if it was refused for another client's sake
    schedulePass();
    if (!sweeping) {
      sweeping = true;
      loop.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  void close(MemoryAccount account) {
    accounts.remove(account);
    forget(account);
    schedulePass();
  }

  /** Removes a client that no longer waits. */
  void forget(MemoryAccount account) {
    if (waiters.isEmpty()) {
      return;
    }
    waiters.remove(account);
    waitingCount.set(waiters.size());
    if (urgent == account) {
      urgent = null;
    }
  }

  private void schedulePass() {
    if (!passScheduled && !waiters.isEmpty()) {
      passScheduled = true;
      loop.execute(this::pass);
    }
  }

  /** Resumes the waiting clients that can go on, in order of arrival. */
  private void pass() {
    passScheduled = false;
    for (Map.Entry<MemoryAccount, Waiter> entry : List.copyOf(waiters.entrySet())) {
      MemoryAccount account = entry.getKey();
      Waiter waiter = entry.getValue();
      if (waiters.get(account) != waiter || !fits(account, waiter.receives, waiter.bytes)) {
        continue;
      }
      forget(account);
      waiter.resume.run();
    }
  }

  /** Runs each second while a client waits. */
  private void sweep() {
    boolean isUrgent = urgent != null;
    accounts.forEach(account -> account.sweep(isUrgent));
    for (Map.Entry<MemoryAccount, Waiter> entry : waiters.entrySet()) {
      Waiter waiter = entry.getValue();
      boolean awaitsOthers =
          isWithinShare(entry.getKey(), waiter.receives, waiter.bytes)
              && !isFree(waiter.receives, waiter.bytes);
      waiter.sweeps = awaitsOthers ? waiter.sweeps + 1 : 0;
      if (urgent == null && waiter.sweeps >= PATIENCE_SWEEPS) {
        urgent = entry.getKey();
      }
    }
    Waiter first = urgent == null ? null : waiters.get(urgent);
    if (first != null) {
      closeStalled(first);
    }
    schedulePass();
    if (waiters.isEmpty()) {
      sweeping = false;
      accounts.forEach(MemoryAccount::beginStall);
    } else {
      loop.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void closeStalled(Waiter first) {
    ToLongFunction<MemoryAccount> useful =
        lacksHalf(first) ? MemoryAccount::inputBytes : MemoryAccount::heldBytes;
    List<MemoryAccount> stalled = new ArrayList<>(accounts);
    stalled.removeIf(
        account -> account == urgent || useful.applyAsLong(account) == 0 || !account.isStalled());
    stalled.sort(Comparator.comparingLong(useful).reversed());
    long freed = 0;
    for (MemoryAccount account : stalled) {
      if (freed >= first.bytes) {
        return;
      }
      freed += useful.applyAsLong(account);
      closed.incrementAndGet();
      account.giveUp();
    }
  }
}
