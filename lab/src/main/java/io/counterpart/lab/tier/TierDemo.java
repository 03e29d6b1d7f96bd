package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.tier.arm.Loading;
import io.counterpart.lab.tier.arm.OpenArm;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The demonstration of the memory tier: objects on real memcached servers under a code, as many
 * servers killed as it bears, every object read, servers added, every object read again. Nothing
 * that it started is left, also after Ctrl-C.
 */
public final class TierDemo {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int SERVERS = 10;
  private static final int OBJECTS = 5_000;
  private static final int VALUE_BYTES = 1_000;
  private static final Duration REPAIR_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private static final String MEMCACHED = "memcached";

  private final Path directory;
  private final long seed;
  private final Progress progress;
  private final String program;

  /**
   * A demonstration that has not started anything yet.
   *
   * @param directory for what the tier keeps, its own
   * @param seed repeats keys and values
   */
  public TierDemo(Path directory, long seed, Progress progress) {
    this(directory, seed, progress, MEMCACHED);
  }

  /**
   * The same where memcached is looked for under another name.
   *
   * @param program a name, looked up in PATH, or a path
   */
  TierDemo(Path directory, long seed, Progress progress, String program) {
    this.directory = directory;
    this.seed = seed;
    this.progress = progress;
    this.program = program;
  }

  /** Runs; empty, after saying so, where memcached is not installed. */
  public Optional<TierDemoSummary> run() throws IOException {
    if (MemcachedProgram.find(program).isEmpty()) {
      progress.say(
          "memory tier: SKIPPED, because memcached is not installed: " + MemcachedProgram.ADVICE);
      return Optional.empty();
    }
    long start = System.nanoTime();
    TierShape shape = new TierShape(CODE, SERVERS, OBJECTS, VALUE_BYTES, TierNetwork.DIRECT);
    progress.say(
        "memory tier: starting %d memcached servers under a %s code".formatted(SERVERS, CODE));
    try (OpenArm arm = OpenArm.open(TierArm.ECHASH, shape, CODE.n(), directory, seed)) {
      return Optional.of(demonstrate(arm, start));
    }
  }

  private TierDemoSummary demonstrate(OpenArm arm, long startNanos) throws IOException {
    Loading.run(arm, "load", progress.step("tier load", OBJECTS));
    int killed = CODE.n() - CODE.k();
    progress.say("killing %d servers of %d".formatted(killed, SERVERS));
    for (int server = 0; server < killed; server++) {
      arm.servers().kill(server);
    }
    Map<String, Long> before = arm.counted();
    CheckOutcome away = readBack(arm, "tier check without them");
    Map<String, Long> degraded = ShardCounters.between(before, arm.counted());

    progress.say("starting them again, empty: they get back what they held");
    for (int server = 0; server < killed; server++) {
      arm.servers().start(server);
    }
    awaitRepair(arm);
    progress.say("adding %d servers, as many as there are rings".formatted(CODE.n()));
    TierUnderTest.await(
        ScalingStage.changed(arm, true, arm.servers().ids().subList(SERVERS, SERVERS + CODE.n())));
    CheckOutcome all = away.plus(readBack(arm, "tier check"));
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
