package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.ConsistencySettings;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.policy.PolicyTable;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import io.counterpart.cassandra.report.ConsistencyReports;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.core.staleness.estimate.Absences;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.MessagingService;

/**
 * The running parts of one node: what handles reads and writes, sinks of messages, and two
 * background threads. One evaluates estimates every second and looks for this node's own copies;
 * the other reads policies every 5 s, which waits for replicas. A third repeats reads.
 */
record NodeControl(HandledRead reads, HandledWrite writes) {
  private static final long EVALUATION_MILLIS = 1_000;
  private static final long POLICIES_MILLIS = 5_000;
  private static final int REPEATED_QUEUE = 64;
  private static final int LOOKS_TO_CATCH_UP = 2;

  static NodeControl start(ConsistencySettings settings, Failures failures) {
    LongSupplier clock = System::nanoTime;
    ScheduledExecutorService estimating = thread("CounterpartEstimates");
    Estimates estimates =
        new Estimates(
            settings.budget(), clock, new SplittableRandom(ThreadLocalRandom.current().nextLong()));
    Policies policies = new Policies(settings.defaults());
    Absences<InetAddressAndPort> absences =
        new Absences<>(
            settings.budget().look().multipliedBy(LOOKS_TO_CATCH_UP),
            settings.startAbsence(),
            clock.getAsLong());
    Coordinator coordinator =
        new Coordinator(
            policies,
            estimates,
            new ReplicaSets(),
            new SessionKeys(clock),
            Coordinator.Tallies.none(),
            absences,
            clock,
            new Random());
    WriteSampler sampler =
        new WriteSampler(
            estimates,
            failures,
            WriteSampler.Place.here(clock, coordinator.replicaSets(), estimating));
    Upkeep upkeep = new Upkeep(coordinator, sampler);
    PolicyTable policyTable = new PolicyTable(policies);
    ConsistencyReports.NODE.publish(new NodeReports(coordinator, failures, clock));
    CounterpartKeyspace.register();
    MessagingService.instance().outboundSink.add(sampler::sending);
    MessagingService.instance().inboundSink.add(sampler::received);
    estimating.scheduleWithFixedDelay(
        () -> failures.guard(upkeep::run),
        EVALUATION_MILLIS,
        EVALUATION_MILLIS,
        TimeUnit.MILLISECONDS);
    thread("CounterpartPolicies")
        .scheduleWithFixedDelay(
            () -> failures.guard(policyTable::refresh), 0, POLICIES_MILLIS, TimeUnit.MILLISECONDS);
    return new NodeControl(
        new HandledRead(
            coordinator, failures, repeatedReads(), new LevelChoice(coordinator)::decide),
        new HandledWrite(
            sampler, coordinator.sessionKeys(), failures, Levels.ofWrites(settings.delegates())));
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(daemon(name));
  }

  private static ThreadPoolExecutor repeatedReads() {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(REPEATED_QUEUE),
        daemon("CounterpartRepeatedReads"),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
