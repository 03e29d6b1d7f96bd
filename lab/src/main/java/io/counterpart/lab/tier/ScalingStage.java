package io.counterpart.lab.tier;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.BlockMeter;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.ShardCounters;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierSampler;
import io.counterpart.lab.tier.arm.TierUnderTest;
import io.counterpart.lab.tier.client.ClientWatch;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.database.TierDatabase;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Adds servers to tiers and removes others, arms in turn. The time runs from the command until old
 * copies are gone and all parity is consistent. Throughput counts the objects that moved to another
 * server, in every scheme; parity counts as traffic. Paper: ECHash §5.3, Experiments 2 and 3.
 *
 * <p>Each repeat adds servers that have not been in the tier before, and removes those that have
 * been in it for longest. If the same server came and went, ccmemcached would have all of its
 * objects in few stripes of their own after the first time, and would move them for a fraction of
 * the cost.
 *
 * @param name of the stage, such as 8_6_1
 * @param arms compared, all coded
 * @param added servers that each repeat adds and removes, at least 1
 * @param reads whether objects are read meanwhile
 */
public record ScalingStage(
    String name, TierShape shape, List<TierArm> arms, int added, boolean reads, Repeats repeats)
    implements TierStage {
  private static final int LIMIT_SECONDS = 900;

  /** Checks every range. */
  public ScalingStage {
    arms = List.copyOf(arms);
    if (added < 1) {
      throw new IllegalArgumentException("servers added %d: must be at least 1".formatted(added));
    }
  }

  /** Phase of the blocks that add servers. */
  public static String out(String name) {
    return "scaleout_" + name;
  }

  /** Phase of the blocks that remove servers. */
  public static String in(String name) {
    return "scalein_" + name;
  }

  @Override
  public List<String> armNames() {
    return TierStage.names(arms);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new ScalingStage(name, shape, TierStage.chosen(arms, names), added, reads, repeats);
  }

  @Override
  public int blocks() {
    return arms.size() * (1 + 2 * repeats.measured());
  }

  @Override
  public void run(StageContext context) throws IOException {
    if (reads) {
      context.record().describe(describedReads());
    }
    int changes = repeats.warmUps() + repeats.measured();
    try (ArmSet open = context.open(this, arms, shape, added * changes)) {
      context.load(open, "load_" + name);
      TierDatabase database =
          reads && hasDatabase() ? context.database().of(open.all().get(0).data()) : null;
      for (int repeat = -repeats.warmUps(); repeat < repeats.measured(); repeat++) {
        for (boolean out : List.of(true, false)) {
          for (OpenArm arm : open.inTurn(Math.abs(repeat))) {
            BlockResult block = change(context, arm, new Change(out, repeat), database);
            if (repeat >= 0) {
              context.measured(block);
            }
          }
        }
      }
      context.readBack(open);
    }
  }

  private boolean hasDatabase() {
    return arms.contains(TierArm.CCMEMCACHED_DATABASE);
  }

  private Map<String, Object> describedReads() {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("readsUnderWay", DegradedReader.DEPTH);
    if (hasDatabase()) {
      described.put("database", "a stock Cassandra node on the same machine");
    } else {
      described.put("databaseMicrosAssumed", DegradedReader.DATABASE_MICROS);
    }
    return described;
  }

  /**
   * One change of servers.
   *
   * @param repeat its number; below 0 for a warm-up
   */
  private record Change(boolean out, int repeat) {}

  private BlockResult change(
      StageContext context, OpenArm arm, Change wanted, @Nullable TierDatabase database)
      throws IOException {
    boolean out = wanted.out();
    int repeat = wanted.repeat();
    String phase = out ? out(name) : in(name);
    context.progress().step("%s %s %d".formatted(arm.name(), phase, repeat + 1), 0);
    int change = repeat + repeats.warmUps();
    int first = (out ? shape.servers() : 0) + change * added;
    List<ServerId> servers = arm.servers().ids().subList(first, first + added);
    ClientWatch watch = new ClientWatch();
    BlockMeter meter = BlockMeter.begin(arm);
    try (TierSampler sampler =
        context.sampling(repeat).begin(arm, phase, watch, Sampling.Work.MOVED)) {
      DegradedReader reader =
          reads ? DegradedReader.begin(arm, context.seed() + 31L * repeat, watch, database) : null;
      long start = System.nanoTime();
      TierUnderTest.await(changed(arm, out, servers), LIMIT_SECONDS);
      arm.tier().fold();
      long nanos = System.nanoTime() - start;
      Map<String, LatencySummary> latencies = Map.of();
      Map<String, Long> more = new LinkedHashMap<>();
      if (reader != null) {
        reader.stop();
        latencies = reader.latencies();
        more.put("undecodedReads", reader.failed());
        context.record().add(CheckOutcome.NONE.plusWrong(reader.wrong()));
      }
      Map<String, Long> counted = meter.counted();
      more.put(Counters.BYTES, counted.getOrDefault(ShardCounters.MOVED_BYTES, 0L));
      long objects = counted.getOrDefault(ShardCounters.MOVED_OBJECTS, 0L);
      BlockResult block =
          meter.end(phase, repeat, new BlockMeter.Work(objects, 0, nanos, latencies), more);
      sampler.end(block);
      return block;
    }
  }

  /** Adds servers to an arm, or removes them; done when the tier is. */
  static CompletableFuture<Boolean> changed(OpenArm arm, boolean out, List<ServerId> servers) {
    return arm.tier()
        .begin(
            done -> {
              CodedShard shard = arm.tier().shard();
              CompletableFuture<Void> change =
                  out ? shard.addServers(servers) : shard.removeServers(servers);
              change.whenComplete(
                  (nothing, failure) -> {
                    if (failure == null) {
                      done.complete(true);
                    } else {
                      done.completeExceptionally(failure);
                    }
                  });
            });
  }
}
