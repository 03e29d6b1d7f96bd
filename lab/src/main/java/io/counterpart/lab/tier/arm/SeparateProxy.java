package io.counterpart.lab.tier.arm;

import io.counterpart.cache.launch.ProxyJvm;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierData;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.ProcessIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A coded tier whose proxy is a process of its own, so that it can be killed and has a heap of its
 * own. Not thread-safe, but for {@link #read}.
 */
public final class SeparateProxy implements SampledTier, AutoCloseable {
  private final TierShape shape;
  private final Setup setup;
  private final Path directory;
  private final TierServers servers;
  private final TierData data;
  private volatile @Nullable Process process;
  private int port;

  private SeparateProxy(
      TierShape shape, Setup setup, Path directory, TierServers servers, TierData data) {
    this.shape = shape;
    this.setup = setup;
    this.directory = directory;
    this.servers = servers;
    this.data = data;
  }

  /**
   * The proxy of an arm.
   *
   * @param arm its name
   * @param shards of its tier
   * @param heapMegabytes of the proxy, and as much memory outside of its heap
   */
  public record Setup(String arm, int shards, int heapMegabytes) {}

  /**
   * Starts the servers and the proxy.
   *
   * @param directory of its own
   * @throws IOException if the proxy cannot be started; nothing is left running
   */
  public static SeparateProxy open(TierShape shape, Setup setup, Path directory, long seed)
      throws IOException {
    Scratch.clear(directory);
    TierServers servers =
        TierServers.start(directory, shape.servers(), shape.memoryMegabytes(), shape.network());
    SeparateProxy proxy =
        new SeparateProxy(shape, setup, directory, servers, new TierData(shape, seed));
    try {
      proxy.start();
      return proxy;
    } catch (IOException | RuntimeException | Error failure) {
      proxy.close();
      throw failure;
    }
  }

  /**
   * Starts the proxy; returns when clients can come.
   *
   * @throws IOException if it ends before; the message has its last words
   */
  public void start() throws IOException {
    Path log = directory.resolve("proxy.log");
    List<String> command = new ArrayList<>(ProxyJvm.command(setup.heapMegabytes()));
    command.add(ProxyMain.class.getName());
    command.addAll(
        ProxyMain.arguments(
            shape.code(), setup.shards(), directory.resolve("metadata"), servers.addresses()));
    Process started =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process = started;
    BufferedReader output = started.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null) {
      List<String> words = Files.readAllLines(log);
      throw new IOException(
          "the proxy has ended: " + (words.isEmpty() ? "" : words.get(words.size() - 1)));
    }
    port = Integer.parseInt(line);
  }

  /** Kills the proxy (-9) and waits for its end. */
  public void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
      process = null;
    }
  }

  @Override
  public String name() {
    return setup.arm();
  }

  /** Memory alone: the proxy's counters are in another process. */
  @Override
  public Reading read() {
    Map<String, Double> memory =
        Map.of(
            SampledMeasure.SERVER_BYTES,
            (double) servers.memoryBytes(),
            SampledMeasure.PROXY_BYTES,
            (double) processBytes());
    return new Reading(
        Map.of(), memory, TierState.serversWithoutRings(name(), servers, servers.count()));
  }

  public TierData data() {
    return data;
  }

  /** Processor time of the servers since their start. */
  public Duration serversCpu() {
    return servers.cpu();
  }

  /** A client of the proxy, until that is killed. */
  public TierClient client(int connections, int depth) throws IOException {
    InetSocketAddress address = new InetSocketAddress(MemcachedSpec.ADDRESS, port);
    return new TierClient(address, data, connections, depth);
  }

  /** Memory that only the proxy has, heap included, without mapped files; 0 if it has ended. */
  public long processBytes() {
    return identity().map(ProcessIdentity::anonymousBytes).orElse(0L);
  }

  /** Processor time of the proxy since its start; 0 if it has ended. */
  public Duration cpu() {
    return identity().flatMap(ProcessIdentity::cpuTime).orElse(Duration.ZERO);
  }

  private Optional<ProcessIdentity> identity() {
    Process running = process;
    return running == null ? Optional.empty() : ProcessIdentity.of(running.pid());
  }

  /** Bytes of the metadata log's files. */
  public long logBytes() throws IOException {
    return Scratch.bytes(directory, ".log");
  }

  @Override
  public void close() throws IOException {
    kill();
    servers.close();
    Scratch.clear(directory);
  }
}
