package io.counterpart.cassandra.consistency.sampling;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * Samples when the replicas of clients' writes acknowledge. Requests open a write on their thread;
 * Cassandra sends its messages on the same thread, so the sink there knows the request. Answers are
 * matched by the message's id. This node's own copy has no messages. Where the write could return
 * without it, {@link LocalCopy} is asked when it has and, if the copy is not there, again until it
 * is.
 *
 * <p>At most {@value #MOST_IN_FLIGHT} writes are tracked, each for at most {@link #TRACKED}; others
 * are no samples. What is written is held only while the request runs and until this node's own
 * copy is there: at most {@value #MOST_HELD_BYTES} bytes by requests that have returned. Own copies
 * beyond that count as late for good, the safe side. Thread-safe. The sinks throw nothing and drop
 * nothing.
 */
public final class WriteSampler {
  public static final int MOST_IN_FLIGHT = 16_384;
  public static final Duration TRACKED = Duration.ofSeconds(10);
  static final int MOST_HELD_BYTES = 16 << 20;
  private static final int MOST_LOCAL_CHECKS = 10;
  private static final long FIRST_CHECK_MICROS = 500;

  /** The write that a thread runs. A field, since setting and removing a variable costs more. */
  private static final class Running {
    @Nullable OpenWrite write;
  }

  private final FastThreadLocal<Running> running =
      new FastThreadLocal<>() {
        @Override
        protected Running initialValue() {
          return new Running();
        }
      };

  private final ConcurrentMap<Long, OpenWrite> inFlight = new ConcurrentHashMap<>();
  private final AtomicLong heldBytes = new AtomicLong();
  private final Estimates estimates;
  private final Failures failures;
  private final LongSupplier nanoClock;
  private final Place place;

  /**
   * The node that the sampler runs on.
   *
   * @param replicaSets of a write's keyspace and token; none if it is no sample
   * @param watch of an update that was written: tells whether the node has it
   * @param background for repeated questions
   */
  public record Place(
      InetAddressAndPort self,
      LongSupplier nanoClock,
      BiFunction<String, Token, ReplicaSet> replicaSets,
      Function<PartitionUpdate, BooleanSupplier> watch,
      ScheduledExecutorService background) {
    /** This process. */
    public static Place here(
        LongSupplier nanoClock, ReplicaSets replicaSets, ScheduledExecutorService background) {
      return new Place(
          FBUtilities.getBroadcastAddressAndPort(),
          nanoClock,
          replicaSets::ofSample,
          LocalCopy::watch,
          background);
    }
  }

  public WriteSampler(Estimates estimates, Failures failures, Place place) {
    this.estimates = estimates;
    this.failures = failures;
    this.place = place;
    nanoClock = place.nanoClock();
  }

  /** This thread is about to run a client's write, at that level. */
  public void begin(ReadLevel level) {
    running.get().write = new OpenWrite(level);
  }

  /** The write that this thread began is over. */
  public void end(boolean acknowledged) {
    Running here = running.get();
    OpenWrite write = here.write;
    here.write = null;
    if (write == null) {
      return;
    }
    if (!acknowledged || !write.isSample()) {
      inFlight.remove(write.messageId());
      return;
    }
    long now = nanoClock.getAsLong();
    findLocal(write, now);
    for (OpenWrite.Part part : write.parts()) {
      part.sample().returned(now);
      estimates.add(part.key(), part.sample());
    }
  }

  private void findLocal(OpenWrite write, long nowNanos) {
    if (!write.isOwn()) {
      write.release();
      return;
    }
    // acknowledgements of one that took longer have not all been seen
    boolean tracked = nowNanos - write.sentNanos() < TRACKED.toNanos();
    boolean there = tracked && write.neededOwnCopy();
    if (!there) {
      write.watch(place.watch());
      there = write.isAppliedHere();
    }
    if (there) {
      write.appliedHere(nowNanos);
      write.release();
      return;
    }
    long bytes = write.heldBytes();
    if (heldBytes.addAndGet(bytes) <= MOST_HELD_BYTES) {
      checkLater(write, bytes, 0);
    } else {
      release(write, bytes);
    }
  }

  private void checkLater(OpenWrite write, long bytes, int checks) {
    place
        .background()
        .schedule(
            () -> failures.guard(() -> check(write, bytes, checks + 1)),
            FIRST_CHECK_MICROS << checks,
            TimeUnit.MICROSECONDS);
  }

  private void check(OpenWrite write, long bytes, int checks) {
    boolean again = false;
    try {
      if (write.isAppliedHere()) {
        write.appliedHere(nanoClock.getAsLong());
      } else if (checks < MOST_LOCAL_CHECKS) {
        // after half a second it counts as late for good: a node may be stuck
        checkLater(write, bytes, checks);
        again = true;
      }
    } finally {
      if (!again) {
        release(write, bytes);
      }
    }
  }

  private void release(OpenWrite write, long bytes) {
    write.release();
    heldBytes.addAndGet(-bytes);
  }

  /** For the outbound sink; always true. */
  public boolean sending(Message<?> message, InetAddressAndPort to) {
    if (message.verb() == Verb.MUTATION_REQ) {
      failures.guard(() -> sent(message));
    }
    return true;
  }

  private void sent(Message<?> message) {
    OpenWrite write = running.get().write;
    if (write == null || !(message.payload instanceof Mutation mutation)) {
      return;
    }
    if (!write.sends(message.id(), mutation, nanoClock.getAsLong())) {
      return;
    }
    if (inFlight.size() >= MOST_IN_FLIGHT) {
      estimates.leaveOut();
      return;
    }
    PartitionUpdate update = mutation.getPartitionUpdates().iterator().next();
    TableId table = update.metadata().id;
    ReplicaSet replicas =
        place.replicaSets().apply(mutation.getKeyspaceName(), mutation.key().getToken());
    write.to(replicas);
    for (List<InetAddressAndPort> sampled : replicas.sampled()) {
      write.add(new SetKey(table, sampled), place.self());
    }
    inFlight.put(write.messageId(), write);
  }

  /** For the inbound sink; always true. */
  public boolean received(Message<?> message) {
    if (message.verb() == Verb.MUTATION_RSP) {
      failures.guard(() -> acknowledged(message));
    }
    return true;
  }

  private void acknowledged(Message<?> message) {
    OpenWrite write = inFlight.get(message.id());
    if (write != null) {
      write.acknowledged(message.from(), nanoClock.getAsLong());
      if (write.isComplete()) {
        inFlight.remove(message.id());
      }
    }
  }

  /** Forgets writes whose acknowledgements will not come. */
  public void forgetOld() {
    long now = nanoClock.getAsLong();
    inFlight.values().removeIf(write -> now - write.sentNanos() > TRACKED.toNanos());
  }

  /** Writes that wait for acknowledgements. */
  public int inFlight() {
    return inFlight.size();
  }
}
