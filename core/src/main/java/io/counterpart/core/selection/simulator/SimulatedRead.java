package io.counterpart.core.selection.simulator;

/** One read on its way. Not thread-safe. */
final class SimulatedRead {
  final int key;
  final int coordinator;
  final int replica;
  final long sentAt;
  boolean answered;
  long serviceNanos;

  SimulatedRead(int key, int coordinator, int replica, long sentAt) {
    this.key = key;
    this.coordinator = coordinator;
    this.replica = replica;
    this.sentAt = sentAt;
  }

  boolean isLocal() {
    return coordinator == replica;
  }
}
