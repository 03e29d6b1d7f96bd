package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Function;
import io.counterpart.cache.backend.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine: a network namespace on a bridge, with a disk and a memcached server. The bridge and
 * the clients are in the namespace of this process. The link is cut and joined on the bridge's
 * side; the machine's own addresses stay.
 */
final class NetworkMachine implements AutoCloseable {
  private static final Path OWN_NAMESPACE = Path.of("/proc/self/ns/net");
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int NETWORK = 0x40000000;
  private static final String BRIDGE = "br0";

  /** Places of rules of routing: for all that is sent, and for what leaves the machine. */
  private static final String BEFORE_LOCAL = "10";

  private static final String LOCAL = "20";
  private static final String BEHIND_LOCAL = "30";

  private final int number;
  private final Path directory;

  /** Keeps the namespace. */
  private final Process holder;

  private @Nullable Process server;

  private NetworkMachine(int number, Path directory, Process holder) {
    this.number = number;
    this.directory = directory;
    this.holder = holder;
  }

  /** Makes the bridge. */
  static void makeBridge() throws Exception {
    ip("link", "set", "lo", "up");
    ip("link", "add", "name", BRIDGE, "type", "bridge");
    ip("address", "add", host(254) + "/24", "dev", BRIDGE);
    ip("link", "set", BRIDGE, "up");
  }

  /** Makes a machine of this number, joined to the bridge, and starts its server. */
  static NetworkMachine make(int number, Path directory) throws Exception {
    Process holder = new ProcessBuilder("unshare", "--net", "--", "sleep", "infinity").start();
    NetworkMachine machine = new NetworkMachine(number, directory, holder);
    Path namespace = Path.of("/proc/%d/ns/net".formatted(holder.pid()));
    Path own = Files.readSymbolicLink(OWN_NAMESPACE);
    await().atMost(LIMIT).until(() -> !Files.readSymbolicLink(namespace).equals(own));
    String pid = Long.toString(holder.pid());
    ip("link", "add", "name", machine.link(), "type", "veth", "peer", "name", "eth0", "netns", pid);
    ip("link", "set", machine.link(), "master", BRIDGE);
    machine.join();
    machine.ipInside("link", "set", "lo", "up");
    machine.ipInside("address", "add", host(number) + "/24", "dev", "eth0");
    machine.ipInside("link", "set", "eth0", "up");
    machine.ipInside("rule", "add", "pref", LOCAL, "lookup", "local");
    machine.ipInside("rule", "del", "pref", "0");
    machine.startServer();
    return machine;
  }

  private static String host(int number) {
    return "10.77.0." + number;
  }

  private String link() {
    return "machine" + number;
  }

  /** Address of its memcached server. */
  ServerAddress server() {
    return new ServerAddress(host(number), 11211);
  }

  /** Address of its proxy for clients. */
  ServerAddress proxy() {
    return new ServerAddress(host(number), 11311);
  }

  /** Address of its proxy for peers. */
  ServerAddress peer() {
    return new ServerAddress(host(number), 11411);
  }

  /** Directory that is lost with the machine. */
  Path disk() {
    return directory.resolve(link());
  }

  /** Socket of its proxy for operators. */
  Path control() {
    return directory.resolve(link() + ".control");
  }

  /** Output of its proxy. */
  Path log() {
    return directory.resolve(link() + ".log");
  }

  /** The beginning of a command that runs on it. */
  List<String> inside() {
    return List.of("nsenter", "-t", Long.toString(holder.pid()), "-n", "--");
  }

  /** Moves the calling thread to it, for good. */
  void enter() {
    String namespace = "/proc/%d/ns/net".formatted(holder.pid());
    int file = Function.getFunction("c", "open").invokeInt(new Object[] {namespace, 0});
    assertThat(file).isNotNegative();
    assertThat(Function.getFunction("c", "setns").invokeInt(new Object[] {file, NETWORK})).isZero();
  }

  /** Cuts it off from everybody; packets are dropped. */
  void cutOff() throws Exception {
    ip("link", "set", link(), "down");
  }

  /** Joins it again. */
  void join() throws Exception {
    ip("link", "set", link(), "up");
  }

  /**
   * Drops what its processes send to servers on other machines; its peers and clients still reach
   * it.
   *
   * @param ownToo whether it loses its own server too
   */
  void loseServers(boolean ownToo) throws Exception {
    String place = ownToo ? BEFORE_LOCAL : BEHIND_LOCAL;
    String[] rule = {"iif", "lo", "ipproto", "tcp", "dport", port(), "blackhole"};
    ipInside(
        Stream.concat(Stream.of("rule", "add", "pref", place), Stream.of(rule))
            .toArray(String[]::new));
  }

  /** Ends {@link #loseServers}. */
  void reachServers(boolean ownToo) throws Exception {
    ipInside("rule", "del", "pref", ownToo ? BEFORE_LOCAL : BEHIND_LOCAL);
  }

  private String port() {
    return Integer.toString(server().port());
  }

  /** Starts its server, empty. */
  void startServer() throws IOException {
    List<String> command = new ArrayList<>(inside());
    command.addAll(List.of("memcached", "-u", "nobody", "-l", host(number), "-U", "0", "-t", "1"));
    command.addAll(List.of("-p", port()));
    command.addAll(List.of("-I", "2m", "-M", "-m", "64"));
    Process started =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    server = started;
    await("memcached listens on " + server())
        .pollInterval(Duration.ofMillis(10))
        .atMost(LIMIT)
        .until(() -> started.isAlive() && listens());
  }

  /** Whether the server listens, asked on the machine itself: it may be cut off. */
  private boolean listens() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(inside());
    command.addAll(List.of("bash", "-c", "exec 3<>/dev/tcp/%s/%s".formatted(host(number), port())));
    return new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  /** Ends its server with SIGKILL. */
  void killServer() throws InterruptedException {
    kill(server);
  }

  /** Deletes what is on its disk. */
  void loseDisk() throws IOException {
    try (Stream<Path> files = Files.walk(disk())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void kill(@Nullable Process process) throws InterruptedException {
    if (process != null) {
      process.destroyForcibly();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void ipInside(String... arguments) throws Exception {
    run(inside(), arguments);
  }

  private static void ip(String... arguments) throws Exception {
    run(List.of(), arguments);
  }

  private static void run(List<String> prefix, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add("ip");
    command.addAll(Arrays.asList(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
        .as(String.join(" ", command))
        .isZero();
  }

  @Override
  public void close() throws InterruptedException {
    kill(server);
    kill(holder);
  }

  @Override
  public String toString() {
    return link();
  }
}
