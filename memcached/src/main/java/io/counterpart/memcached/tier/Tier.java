package io.counterpart.memcached.tier;

import io.counterpart.memcached.MemcachedServers;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The processes of a memory tier: memcached servers, none if somebody else runs them, and proxies.
 * During the start they end with this JVM, also on Ctrl-C. After it they stay, and {@link
 * #recorded} finds them, also after the JVM was killed. For use by one thread, which holds the
 * {@link TierLock} when it starts or stops.
 */
public final class Tier {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(3);

  /** A proxy first writes changes to its persistent store, for 30 s, and closes within 40 s. */
  private static final Duration PROXY_STOP_LIMIT = Duration.ofSeconds(45);

  private final Path home;
  private Map<String, String> options;
  private final List<TierServer> servers;
  private final List<TierProxy> proxies;

  /** Processes that this JVM has started and not detached yet. */
  private final List<ProcessIdentity> startedHere = new ArrayList<>();

  /** Ports of servers that are to join the tier and do not all answer yet. */
  private final List<Integer> adding = new ArrayList<>();

  private boolean exiting;

  /** Whether it was there before a start: its options outlive one that fails. */
  private boolean isRecorded;

  private Tier(Path home, TierState state, boolean isRecorded) {
    this.home = home;
    this.isRecorded = isRecorded;
    this.options = state.options();
    this.servers = new ArrayList<>(state.servers());
    this.proxies = new ArrayList<>(state.proxies());
  }

  /** A tier with one proxy, without running processes. */
  public static Tier planned(Path home, Map<String, String> options, List<Integer> ports) {
    return planned(home, options, ports, 1);
  }

  /**
   * A tier without running processes. Nothing is written.
   *
   * @param options kept with the tier, in the caller's terms
   * @param ports of memcached servers on 127.0.0.1
   * @param proxies number of proxies, 1 and above
   */
  public static Tier planned(
      Path home, Map<String, String> options, List<Integer> ports, int proxies) {
    return new Tier(
        home,
        new TierState(
            options,
            ports.stream().map(port -> new TierServer(port, null)).toList(),
            IntStream.range(0, proxies).mapToObj(number -> new TierProxy(number, null)).toList()),
        false);
  }

  /**
   * The tier recorded under a directory, running or not.
   *
   * @throws java.io.UncheckedIOException if the record is damaged, with its name
   */
  public static Optional<Tier> recorded(Path home) {
    return TierState.read(home).map(state -> new Tier(home, state, true));
  }

  /**
   * The directory of the proxy's metadata of objects. It is deleted with the last of the servers
   * that were started here, and is never touched if somebody else runs them.
   */
  public static Path metadata(Path home) {
    return home.resolve("cache-metadata");
  }

  /** The options of the plan, or later ones. */
  public Map<String, String> options() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** Replaces the options of a recorded tier. */
  public synchronized void setOptions(Map<String, String> changed) {
    options = new LinkedHashMap<>(changed);
    save();
  }

  /** Every memcached server that was started here, dead ones too. */
  public List<TierServer> servers() {
    return List.copyOf(servers);
  }

  /** Ports of the servers that do not run. */
  public List<Integer> deadPorts() {
    return servers.stream().filter(server -> !server.isAlive()).map(TierServer::port).toList();
  }

  /** Every proxy, dead ones too, by number. */
  public List<TierProxy> proxies() {
    return List.copyOf(proxies);
  }

  /** Whether one of its proxies runs. */
  public boolean isProxyAlive() {
    return proxies.stream().anyMatch(TierProxy::isAlive);
  }

  /** Numbers of the proxies that do not run. */
  public List<Integer> deadProxies() {
    return proxies.stream().filter(proxy -> !proxy.isAlive()).map(TierProxy::number).toList();
  }

  /** True if at least one of its processes runs. */
  public boolean isRunning() {
    return isProxyAlive() || servers.stream().anyMatch(TierServer::isAlive);
  }

  /** True if all of its processes run. */
  public boolean isComplete() {
    return deadProxies().isEmpty() && deadPorts().isEmpty();
  }

  /** The log file of a proxy. */
  public static Path proxyLog(Path home, int number) {
    return home.resolve(number == 0 ? "proxy.log" : "proxy-%d.log".formatted(number + 1));
  }

  /** Starts the missing processes of a tier with one proxy. */
  public void start(MemcachedSpec spec, ProxyLaunch launch) {
    start(spec, number -> launch);
  }

  /**
   * Starts the missing processes, servers first, then proxies by number, and leaves them running;
   * returns when all of them answer.
   *
   * @param spec of the servers
   * @param launches of the proxies by number
   * @throws io.counterpart.process.PreflightException if memcached is missing or a port in use
   * @throws io.counterpart.memcached.MemcachedStartException if a server does not come up
   * @throws TierStartException if the proxy does not; the processes that this call has started are
   *     stopped
   */
  public void start(MemcachedSpec spec, IntFunction<ProxyLaunch> launches) {
    if (!isRunning()) {
      // what its servers held is gone
      forgetMetadata();
    }
    guard(
        () -> {
          startServers(spec, deadPorts());
          deadProxies().forEach(number -> startProxy(number, launches.apply(number)));
        });
  }

  /**
   * Starts more servers and leaves them running; returns when all of them answer. They are recorded
   * before anybody can use them.
   *
   * @param ports new ones for the tier
   * @throws io.counterpart.process.PreflightException if memcached is missing or a port in use
   * @throws io.counterpart.memcached.MemcachedStartException if a server does not come up; the
   *     servers that this call has started are stopped and forgotten
   */
  public void addServers(MemcachedSpec spec, List<Integer> ports) {
    synchronized (this) {
      adding.addAll(ports);
      ports.forEach(port -> servers.add(new TierServer(port, null)));
    }
    guard(() -> startServers(spec, ports));
    synchronized (this) {
      adding.clear();
    }
  }

  /** Stops servers, if they run, and forgets them; returns when they are gone. */
  public void removeServers(List<Integer> ports) {
    end(
        servers.stream()
            .filter(server -> ports.contains(server.port()))
            .flatMap(server -> Stream.ofNullable(server.process()))
            .toList(),
        STOP_LIMIT);
    synchronized (this) {
      servers.removeIf(server -> ports.contains(server.port()));
      save();
    }
  }

  /** Ends the started processes if this fails, or the JVM exits meanwhile. */
  private void guard(Runnable starting) {
    Thread hook = new Thread(this::killOnExit, "stop-tier");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      starting.run();
    } catch (RuntimeException | Error failure) {
      killStarted();
      removeHook(hook);
      throw failure;
    }
    if (!removeHook(hook)) {
      throw new CancellationException("this JVM is exiting");
    }
    startedHere.clear();
    isRecorded = true;
  }

  private void startServers(MemcachedSpec spec, List<Integer> dead) {
    if (!dead.isEmpty()) {
      MemcachedServers.start(
              spec,
              home,
              dead,
              server ->
                  // one that has ended already is about to be told
                  server.identity().ifPresent(process -> recordServer(server.port(), process)))
          .detach();
    }
  }

  private void startProxy(int number, ProxyLaunch launch) {
    ProxyStart start = ProxyStart.launch(launch.command(), home, proxyLog(home, number));
    try {
      recordProxy(number, start.identity());
      start.await(launch.answers(), launch.limit());
    } catch (RuntimeException | Error failure) {
      start.kill();
      throw failure;
    }
  }

  private synchronized void recordServer(int port, ProcessIdentity process) {
    startedHere.add(process);
    servers.replaceAll(server -> server.port() == port ? new TierServer(port, process) : server);
    save();
  }

  private synchronized void recordProxy(int number, ProcessIdentity process) {
    startedHere.add(process);
    proxies.replaceAll(proxy -> proxy.number() == number ? new TierProxy(number, process) : proxy);
    save();
  }

  private void save() {
    if (exiting) {
      // the exit hook may have passed before this process existed
      killStarted();
      throw new CancellationException("this JVM is exiting");
    }
    new TierState(options, servers, proxies).write(home);
  }

  private synchronized void killOnExit() {
    exiting = true;
    killStarted();
  }

  private synchronized void killStarted() {
    startedHere.forEach(ProcessIdentity::kill);
    startedHere.clear();
    servers.removeIf(server -> adding.contains(server.port()));
    if (!isRunning() && !isRecorded) {
      forget();
    } else if (!adding.isEmpty()) {
      new TierState(options, servers, proxies).write(home);
    }
    adding.clear();
  }

  private void forget() {
    // before the record: what is left of it without one would be taken for somebody else's
    forgetMetadata();
    TierState.delete(home);
  }

  private void forgetMetadata() {
    if (!servers.isEmpty()) {
      TierState.deleteTree(metadata(home));
    }
  }

  private static boolean removeHook(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyExiting) {
      return false;
    }
  }

  /**
   * Stops the proxies, then the servers, and forgets them, with the metadata of the servers'
   * objects; returns when no process is left. Another process that has the number of one of them is
   * left alone.
   *
   * @return number of processes that ran
   */
  public int stop() {
    List<ProcessIdentity> serving =
        proxies.stream().flatMap(proxy -> Stream.ofNullable(proxy.process())).toList();
    List<ProcessIdentity> running =
        Stream.concat(
                serving.stream(),
                servers.stream().flatMap(server -> Stream.ofNullable(server.process())))
            .filter(ProcessIdentity::isAlive)
            .toList();
    // first, so that it has no servers to miss
    end(serving, PROXY_STOP_LIMIT);
    forgetMetadata();
    end(running, STOP_LIMIT);
    forget();
    return running.size();
  }

  private static void end(List<ProcessIdentity> processes, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    processes.forEach(ProcessIdentity::terminate);
    for (ProcessIdentity process : processes) {
      if (!process.awaitExit(Duration.ofNanos(deadline - System.nanoTime()))) {
        process.kill();
      }
    }
  }
}
