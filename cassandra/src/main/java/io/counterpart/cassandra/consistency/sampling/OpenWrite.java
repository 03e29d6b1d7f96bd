package io.counterpart.cassandra.consistency.sampling;

import io.counterpart.core.staleness.estimate.WriteSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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
  record Part(SetKey key, WriteSample sample, int self) {}

  private final List<Part> parts = new ArrayList<>();
  private long messageId;
  private long sentNanos;
  private boolean sent;
  private boolean several;

  /** Holds what is written, so it is dropped as soon as it has told. */
  private @Nullable Watch watch;

  /**
   * Of this node's own copy.
   *
   * @param applied tells whether it is there
   */
  record Watch(PartitionUpdate update, BooleanSupplier applied) {}

  /** The first message of the write, or one more for another replica: these share the id. */
  boolean sends(long id, Mutation mutation, long nowNanos) {
    if (sent) {
      several |= id != messageId;
      return false;
    }
    sent = true;
    messageId = id;
    sentNanos = nowNanos;
    PartitionUpdate update = mutation.getPartitionUpdates().iterator().next();
    several = mutation.getPartitionUpdates().size() != 1 || !LocalCopy.canTell(update);
    return !several;
  }

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
      for (int i = 0; i < part.sample().replicas(); i++) {
        if (i != part.self() && !part.sample().hasArrived(i)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Tells from now on whether this node has the write. */
  void watch(Watch ownCopy) {
    watch = ownCopy;
  }

  /** Whether this node is known to have the write; not after {@link #unwatch}. */
  boolean isAppliedHere() {
    Watch now = watch;
    return now != null && now.applied().getAsBoolean();
  }

  /** Gives up what the watch holds. */
  void unwatch() {
    watch = null;
  }

  /** Bytes on the heap that the watch holds. */
  long heldBytes() {
    Watch now = watch;
    return now == null ? 0 : now.update().unsharedHeapSize();
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
    return parts.stream().anyMatch(part -> part.self() >= 0);
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
