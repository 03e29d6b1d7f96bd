package io.counterpart.lab.tier.arm;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierData;
import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A running arm: its servers, its tier, its objects.
 *
 * @param shape its initial shape
 * @param data its objects
 * @param directory of the tier's metadata and the servers' logs
 */
public record OpenArm(
    TierArm arm,
    TierShape shape,
    TierServers servers,
    TierUnderTest tier,
    TierData data,
    Path directory)
    implements SampledTier, AutoCloseable {
  @Override
  public String name() {
    return arm.name();
  }

  /**
   * Starts the servers and opens the tier.
   *
   * @param spares servers that run beside those of the shape, to be added later
   * @param directory of its own
   * @param seed of the values
   * @throws IOException if the tier cannot be opened; nothing is left running
   */
  public static OpenArm open(TierArm arm, TierShape shape, int spares, Path directory, long seed)
      throws IOException {
    Scratch.clear(directory);
    TierServers servers =
        TierServers.start(
            directory, shape.servers() + spares, shape.memoryMegabytes(), shape.network());
    try {
      TierUnderTest tier = open(arm, shape, servers, directory.resolve("metadata"));
      return new OpenArm(arm, shape, servers, tier, new TierData(shape, seed), directory);
    } catch (IOException | RuntimeException | Error failure) {
      servers.close();
      throw failure;
    }
  }

  private static TierUnderTest open(
      TierArm arm, TierShape shape, TierServers servers, Path metadata) throws IOException {
    CodedScheme scheme = arm.scheme();
    int first = shape.servers();
    if (scheme == null) {
      servers.keepOneList();
      return TierUnderTest.vanilla(servers.addresses().subList(0, first));
    }
    return TierUnderTest.coded(
        scheme, CodedSettings.of(shape.code(), servers.ids().subList(0, first), metadata));
  }

  /**
   * A client of the proxy.
   *
   * @param depth requests under way on each of its connections
   */
  public TierClient client(int connections, int depth) throws IOException {
    return new TierClient(tier.address(), data, connections, depth);
  }

  /** Queries the shard on its event loop. */
  public <T> T ask(Function<CodedShard, T> question) throws IOException {
    return tier.onLoop(done -> done.complete(question.apply(tier.shard())));
  }

  /** The tier's counts so far; empty without a coded shard. */
  public Map<String, Long> counted() throws IOException {
    return tier.isCoded() ? ask(ShardCounters::of) : Map.of();
  }

  @Override
  public Reading read() throws IOException {
    Map<String, Double> states = new LinkedHashMap<>();
    states.put(SampledMeasure.SERVER_BYTES, (double) servers.memoryBytes());
    if (!tier.isCoded()) {
      return new Reading(
          Map.of(), states, TierState.serversWithoutRings(name(), servers, shape.servers()));
    }
    TierState state = ask(TierState::of);
    states.putAll(state.measures());
    return new Reading(state.counted(), states, state.servers(name(), servers));
  }

  /** Memory by use: the indexes, and their memory-mapped files. */
  public Map<String, Long> memory() throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    bytes.put(Counters.OBJECT_BYTES, (long) data.objects() * data.valueBytes());
    bytes.put(Counters.INDEX_BYTES, ask(shard -> shard.status().indexBytes()));
    bytes.put(Counters.MAPPED_BYTES, Scratch.mappedBytes(directory));
    bytes.put("logBytes", Scratch.bytes(directory, ".log"));
    return bytes;
  }

  @Override
  public void close() throws IOException {
    tier.close();
    servers.close();
    Scratch.clear(directory);
  }
}
