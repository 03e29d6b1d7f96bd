package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.StepSchedule;
import io.counterpart.lab.tier.arm.Loading;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.ShardCounters;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierReadBack;
import io.counterpart.lab.tier.arm.TierUnderTest;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.memcached.MemcachedProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The demonstration of the memory tier: objects on real memcached servers under an erasure code, as
 * many servers killed as the code tolerates, every object read, servers added, every object read
 * again. Ends every process that it started, also on Ctrl-C.
 */
public final class TierDemo {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int SERVERS = 10;
  private static final int OBJECTS = 5_000;
  private static final int VALUE_BYTES = 1_000;
  private static final Duration REPAIR_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final String START =
      "memory tier: starting %d memcached servers under a %s code".formatted(SERVERS, CODE);
  private static final String LOAD = "tier load";
  private static final String KILL = "killing %d of the servers".formatted(CODE.n() - CODE.k());
  private static final String CHECK_AWAY = "tier check without them";
  private static final String RESTART =
      "starting them again, empty: the tier restores what they held";
  private static final String ADD = "adding %d servers, one for each ring".formatted(CODE.n());
  private static final String CHECK = "tier check";

  private static final double SECONDS_EACH = 1;

  private static final String MEMCACHED = "memcached";

  private final Path directory;
  private final long seed;
  private final Progress progress;
  private final String program;

  /**
   * A demonstration that has not started anything yet.
   *
   * @param directory for the tier's files only
   * @param seed repeats keys and values
   */
  public TierDemo(Path directory, long seed, Progress progress) {
    this(directory, seed, progress, MEMCACHED);
  }

  /**
   * The same with another name of memcached.
   *
   * @param program a name, looked up in PATH, or a path
   */
  TierDemo(Path directory, long seed, Progress progress, String program) {
    this.directory = directory;
    this.seed = seed;
    this.progress = progress;
    this.program = program;
  }

  /** The steps of a run, with their time on two cores. */
  public static List<StepSchedule.Step> schedule() {
    return Stream.of(START, LOAD, KILL, CHECK_AWAY, RESTART, ADD, CHECK)
        .map(label -> new StepSchedule.Step(label, SECONDS_EACH))
        .toList();
  }

  /** Runs; reports it and returns empty where memcached is not installed. */
  public Optional<TierDemoSummary> run() throws IOException {
    if (MemcachedProgram.find(program).isEmpty()) {
      progress.say(
          "memory tier: SKIPPED, because memcached is not installed: " + MemcachedProgram.ADVICE);
      return Optional.empty();
    }
    long start = System.nanoTime();
    TierShape shape = new TierShape(CODE, SERVERS, OBJECTS, VALUE_BYTES, TierNetwork.DIRECT);
    progress.say(START);
    try (OpenArm arm = OpenArm.open(TierArm.ECHASH, shape, CODE.n(), directory, seed)) {
      return Optional.of(demonstrate(arm, start));
    }
  }

  private TierDemoSummary demonstrate(OpenArm arm, long startNanos) throws IOException {
    Loading.run(arm, "load", progress.step(LOAD, OBJECTS), Sampling.none());
    int killed = CODE.n() - CODE.k();
    progress.say(KILL);
    for (int server = 0; server < killed; server++) {
      arm.servers().kill(server);
    }
    Map<String, Long> before = arm.counted();
    CheckOutcome away = readBack(arm, CHECK_AWAY);
    Map<String, Long> degraded = ShardCounters.between(before, arm.counted());

    progress.say(RESTART);
    for (int server = 0; server < killed; server++) {
      arm.servers().start(server);
    }
    awaitRepair(arm);
    progress.say(ADD);
    TierUnderTest.await(
        ScalingStage.changed(arm, true, arm.servers().ids().subList(SERVERS, SERVERS + CODE.n())));
    CheckOutcome all = away.plus(readBack(arm, CHECK));
    Map<String, Long> counted = ShardCounters.between(before, arm.counted());
    return new TierDemoSummary(
        CODE.toString(),
        SERVERS,
        OBJECTS,
        VALUE_BYTES,
        killed,
        degraded.getOrDefault(Counters.DEGRADED_READS, 0L),
        counted.getOrDefault(ShardCounters.RESTORED_OBJECTS, 0L),
        CODE.n(),
        counted.getOrDefault(ShardCounters.MOVED_OBJECTS, 0L),
        all.checked(),
        all.lost(),
        all.wrong(),
        all.unread(),
        Duration.ofNanos(System.nanoTime() - startNanos).toSeconds());
  }

  private CheckOutcome readBack(OpenArm arm, String label) throws IOException {
    CheckOutcome outcome = TierReadBack.of(arm, progress.step(label, OBJECTS));
    outcome.examples().forEach(progress::say);
    return outcome;
  }

  private static void awaitRepair(OpenArm arm) throws IOException {
    long deadline = System.nanoTime() + REPAIR_LIMIT.toNanos();
    while (arm.<Integer>ask(shard -> shard.usableServers().size()) < SERVERS
        || arm.<Integer>ask(shard -> shard.serversToRestore()) > 0) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "servers have not got back in %d s what they held".formatted(REPAIR_LIMIT.toSeconds()));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
