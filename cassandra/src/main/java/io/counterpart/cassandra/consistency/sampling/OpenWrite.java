package io.counterpart.cassandra.consistency.sampling;

import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.estimate.WriteSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.jspecify.annotations.Nullable;

/**
 * A client's write while it runs. The request's thread opens it and fills in the message; sinks add
 * acknowledgements from other threads once it is published by its message's id.
 */
final class OpenWrite {
  /**
   * The sample for one set of replicas: all of them, or those of the local datacenter.
   *
   * @param self position of this node among the replicas, −1 if it is none
   */
  record Part(SetKey key, WriteSample sample, int self) {
    int othersArrived() {
      int others = 0;
      for (int i = 0; i < sample.replicas(); i++) {
        others += i != self && sample.hasArrived(i) ? 1 : 0;
      }
      return others;
    }
  }

  private final ReadLevel level;
  private final List<Part> parts = new ArrayList<>();
  private List<InetAddressAndPort> counted = List.of();
  private long messageId;
  private long sentNanos;
  private boolean sent;
  private boolean several;

  /** Held until this node's own copy is known to be there. */
  private @Nullable PartitionUpdate update;

  private BooleanSupplier applied = () -> false;

  /**
   * A write that begins.
   *
   * @param level at which it returns; levels of reads and writes count alike
   */
  OpenWrite(ReadLevel level) {
    this.level = level;
  }

  /** The first message of the write, or one more for another replica: these share the id. */
  boolean sends(long id, Mutation mutation, long nowNanos) {
    if (sent) {
      several |= id != messageId;
      return false;
    }
    sent = true;
    messageId = id;
    sentNanos = nowNanos;
    PartitionUpdate first = mutation.getPartitionUpdates().iterator().next();
    several = mutation.getPartitionUpdates().size() != 1 || !LocalCopy.canTell(first);
    update = several ? null : first;
    return !several;
  }

  /** Its replicas; the level counts acknowledgements of all, or of those of this datacenter. */
  void to(ReplicaSet replicas) {
    counted = level.isLocal() ? replicas.local() : replicas.all();
  }

  /** One more set that it is a sample of. */
  void add(SetKey key, InetAddressAndPort self) {
    parts.add(new Part(key, new WriteSample(key.replicas().size()), key.replicas().indexOf(self)));
  }

  void acknowledged(InetAddressAndPort from, long nowNanos) {
    for (Part part : parts) {
      int replica = part.key().replicas().indexOf(from);
      if (replica >= 0) {
        part.sample().arrived(replica, nowNanos);
      }
    }
  }

  /** Whether every other replica has acknowledged. */
  boolean isComplete() {
    for (Part part : parts) {
      int others = part.sample().replicas() - (part.self() >= 0 ? 1 : 0);
      if (part.othersArrived() < others) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a write that has returned could not have done so without this node's own copy: fewer
   * others have acknowledged than its level asks for. The sink sees an acknowledgement before
   * Cassandra counts it.
   */
  boolean neededOwnCopy() {
    for (Part part : parts) {
      if (part.self() >= 0 && level != ReadLevel.OTHER && part.key().replicas().equals(counted)) {
        return part.othersArrived() < level.reads(counted.size());
      }
    }
    return false;
  }

  /** Begins to ask whether this node has the write. */
  void watch(Function<PartitionUpdate, BooleanSupplier> watches) {
    PartitionUpdate held = update;
    if (held != null) {
      applied = watches.apply(held);
    }
  }

  /** Whether this node is known to have the write; not before {@link #watch}. */
  boolean isAppliedHere() {
    return applied.getAsBoolean();
  }

  /** Gives up what is held; {@link #isAppliedHere} knows nothing any more. */
  void release() {
    update = null;
    applied = () -> false;
  }

  /** Bytes on the heap that are held. */
  long heldBytes() {
    PartitionUpdate held = update;
    return held == null ? 0 : held.unsharedHeapSize();
  }

  /** This node has the write. */
  void appliedHere(long nowNanos) {
    for (Part part : parts) {
      if (part.self() >= 0) {
        part.sample().arrived(part.self(), nowNanos);
      }
    }
  }

  /** Whether this node is a replica; it sends itself no message. */
  boolean isOwn() {
    for (Part part : parts) {
      if (part.self() >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is one mutation, sent to other nodes, that a sample can stand for. */
  boolean isSample() {
    return sent && !several && !parts.isEmpty();
  }

  List<Part> parts() {
    return parts;
  }

  long messageId() {
    return messageId;
  }

  long sentNanos() {
    return sentNanos;
  }
}
