package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.peer.PeerOptions;
import io.counterpart.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A proxy in a separate process that a test kills, stops and starts again. */
final class ProxyProcess implements AutoCloseable {
  static final CodeShape CODE = new CodeShape(3, 2);

  /** System property: MiB of memory for requests. */
  static final String REQUEST_MEGABYTES = "requestMegabytes";

  /** System properties: address for peers, and those of all proxies of the tier. */
  private static final String SELF = "self";

  private static final String PEERS = "peers";

  /** System property: number of shards. */
  static final String SHARDS = "shards";

  /** System properties: address for clients, and the socket for operators. */
  private static final String LISTEN = "listen";

  private static final String CONTROL = "control";

  /** A killed process refuses at once; a JVM that has just started may take so long. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** Several JVMs that start beside other tests take half a minute. */
  private static final Duration START = Duration.ofSeconds(120);

  private final Path directory;
  private final ServerAddress address;
  private final List<ServerAddress> servers;
  private final File log;
  private List<String> prefix = List.of();
  private List<String> jvmOptions = List.of();
  private @Nullable MachineSecurity security;
  private Process process;

  /**
   * @param directory of the tier's metadata
   */
  ProxyProcess(Path directory, int port, List<MemcachedProcess> servers, File log) {
    this(
        directory,
        new ServerAddress("127.0.0.1", port),
        servers.stream().map(server -> new ServerAddress("127.0.0.1", server.port())).toList(),
        log);
  }

  private ProxyProcess(
      Path directory, ServerAddress address, List<ServerAddress> servers, File log) {
    this.directory = directory;
    this.address = address;
    this.servers = servers;
    this.log = log;
  }

  /**
   * A proxy on another machine; it has a socket for operators at {@code control}.
   *
   * @param machine that runs it
   */
  static ProxyProcess on(
      NetworkMachine machine, List<ServerAddress> servers, MachineSecurity security) {
    ProxyProcess made =
        new ProxyProcess(machine.disk(), machine.proxy(), servers, machine.log().toFile());
    made.prefix = machine.inside();
    made.security = security;
    List<String> options = new ArrayList<>(security.properties());
    options.add("-D%s=%s".formatted(LISTEN, machine.proxy().host()));
    options.add("-D%s=%s".formatted(CONTROL, machine.control()));
    // processes of two machines may have the same id, and share a directory for this
    options.add("-XX:-UsePerfData");
    made.jvmOptions = options;
    return made;
  }

  /** Adds options of the JVM. */
  ProxyProcess with(String... options) {
    jvmOptions = List.of(options);
    return this;
  }

  /** Makes it one of several machines' proxies. */
  ProxyProcess among(ServerAddress self, List<ServerAddress> all) {
    List<String> options = new ArrayList<>(jvmOptions);
    options.add("-D%s=%s".formatted(SELF, self));
    options.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
    options.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    options.add(
        "-D%s=%s"
            .formatted(
                PEERS, all.stream().map(ServerAddress::toString).collect(Collectors.joining(","))));
    jvmOptions = options;
    return this;
  }

  private static SchemeOptions scheme(Path directory, @Nullable MachineSecurity security)
      throws IOException {
    SchemeOptions alone =
        new SchemeOptions(Scheme.ECHASH, CODE, directory).sharded(Integer.getInteger(SHARDS, 1));
    String peers = System.getProperty(PEERS);
    return peers == null
        ? alone
        : alone.with(
            new PeerOptions(
                ServerAddress.parse(System.getProperty(SELF)),
                Arrays.stream(peers.split(",")).map(ServerAddress::parse).toList(),
                2,
                security == null ? Access.OPEN : security.access(),
                security == null ? ConnectionSecurity.NONE : security.shown()));
  }

  /** Memory for all clients' requests; a share of the JVM's if the property is absent. */
  private static MemoryLimits memory() {
    String megabytes = System.getProperty(REQUEST_MEGABYTES);
    return megabytes == null
        ? MemoryLimits.ofJvm()
        : MemoryLimits.ofTotal(Long.parseLong(megabytes) << 20);
  }

  /** Runs until it is killed; arguments are a directory, a port, servers. */
  public static void main(String[] arguments) throws Exception {
    List<ServerAddress> servers =
        Arrays.stream(arguments).skip(2).map(ServerAddress::parse).toList();
    MachineSecurity security = MachineSecurity.ofProperties();
    String control = System.getProperty(CONTROL);
    CacheService service =
        CacheService.start(
            new ServiceOptions(
                scheme(Path.of(arguments[0]), security),
                servers,
                null,
                new InetSocketAddress(
                    System.getProperty(LISTEN, "127.0.0.1"), Integer.parseInt(arguments[1])),
                security == null ? Access.OPEN : security.access(),
                memory(),
                null,
                control == null ? null : Path.of(control)));
    service.ended().get();
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx96m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ProxyProcess.class.getName(),
            directory.toString(),
            String.valueOf(address.port())));
    servers.forEach(server -> command.add(server.toString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
  }

  /** Waits until it serves clients. */
  void awaitServing() {
    Awaitility.await("the proxy at " + address + " serves, see " + log)
        .pollInterval(Duration.ofMillis(20))
        .atMost(START)
        .until(() -> !Set.of("", "waiting").contains(role()));
  }

  /** Its role in the tier; empty if it does not answer. */
  String role() {
    try (BlockingClient client =
        BlockingClient.connect(
            address,
            security == null ? null : security.tls(),
            security == null ? null : security.credentials(),
            ANSWER)) {
      return client.stats().getOrDefault("role", "");
    } catch (IOException silent) {
      return "";
    }
  }

  ServerAddress address() {
    return address;
  }

  /** Waits until it ends by itself; returns its exit code. */
  int awaitExit(Duration most) throws InterruptedException {
    assertThat(process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)).as("it ends").isTrue();
    return process.exitValue();
  }

  /** SIGSTOP; returns once no thread of it runs. */
  void pause() {
    ProcessIdentity.of(process.pid()).orElseThrow().pause();
  }

  /** SIGCONT. */
  void resume() {
    ProcessIdentity.of(process.pid()).orElseThrow().resume();
  }

  /** Ends it with SIGKILL. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
