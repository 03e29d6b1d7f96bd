package io.counterpart.core.eviction.simulator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** One stripe: an object, or none, in each slot of k chunks. Not thread-safe. */
final class SimulatedStripe {
  private static final int NONE = -1;

  final int number;
  final int slotClass;
  private final int[] rings;
  private final int slotsPerChunk;
  private final int[] objects;
  private final int[] freeOfChunk;
  private final BitSet read = new BitSet();
  private int live;

  SimulatedStripe(int number, int slotClass, int[] rings, int slotsPerChunk) {
    this.number = number;
    this.slotClass = slotClass;
    this.rings = rings;
    this.slotsPerChunk = slotsPerChunk;
    this.objects = new int[rings.length * slotsPerChunk];
    Arrays.fill(objects, NONE);
    this.freeOfChunk = new int[rings.length];
    Arrays.fill(freeOfChunk, slotsPerChunk);
  }

  int slots() {
    return objects.length;
  }

  int live() {
    return live;
  }

  /** Objects in slots, those that were read or all. */
  IntStream objects(boolean onlyRead) {
    return IntStream.range(0, objects.length)
        .filter(slot -> objects[slot] != NONE && (!onlyRead || read.get(slot)))
        .map(slot -> objects[slot]);
  }

  int readCount() {
    return read.cardinality();
  }

  void read(int slot) {
    read.set(slot);
  }

  void clearRead() {
    read.clear();
  }

  /** Puts an object into the next free slot of its ring; -1 if there is none. */
  int put(int object, int ring) {
    if (!hasRoom(ring)) {
      return NONE;
    }
    int chunk = Arrays.binarySearch(rings, ring);
    int slot = (chunk + 1) * slotsPerChunk - freeOfChunk[chunk];
    freeOfChunk[chunk]--;
    objects[slot] = object;
    live++;
    return slot;
  }

  boolean hasRoom(int ring) {
    int chunk = Arrays.binarySearch(rings, ring);
    return chunk >= 0 && freeOfChunk[chunk] > 0;
  }
}
