package io.counterpart.lab.tier.client;

import io.counterpart.lab.workload.key.SeededZipfian;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sequence of reads and writes of a block. Drawn before the block, so that the client draws
 * nothing while it is measured. Immutable.
 */
public final class TierRequests {
  /** No requests. */
  static final TierRequests NONE = new TierRequests(new int[0]);

  private static final double ZIPFIAN = 0.99;

  /** Key of each request; its complement for a write. */
  private final int[] requests;

  private TierRequests(int[] requests) {
    this.requests = requests;
  }

  /** Every object once, in order. */
  public static TierRequests all(int objects, boolean writes) {
    int[] requests = new int[objects];
    for (int i = 0; i < objects; i++) {
      requests[i] = writes ? ~i : i;
    }
    return new TierRequests(requests);
  }

  /**
   * Writes of a range of objects, in order.
   *
   * @param from the first one
   * @param end the one after the last
   */
  public static TierRequests writes(int from, int end) {
    return new TierRequests(IntStream.range(from, end).map(key -> ~key).toArray());
  }

  /** Reads of these keys, in order. */
  public static TierRequests reads(List<Integer> keys) {
    return new TierRequests(keys.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Scrambled Zipfian keys, as YCSB draws them by default.
   *
   * @param writeShare 0 to 1
   * @param seed repeats them
   */
  public static TierRequests zipfian(int objects, int count, double writeShare, long seed) {
    SeededZipfian keys = new SeededZipfian(Math.max(2, objects), ZIPFIAN, seed);
    SplittableRandom kinds = new SplittableRandom(seed + 1);
    int[] requests = new int[count];
    for (int i = 0; i < count; i++) {
      int key = Math.min(objects - 1, keys.nextValue().intValue());
      requests[i] = kinds.nextDouble() < writeShare ? ~key : key;
    }
    return new TierRequests(requests);
  }

  /**
   * Shares of nearly the same size; all requests for a key are in one share, in their order.
   *
   * @param number of shares, at least 1
   */
  List<TierRequests> shares(int number) {
    if (number == 1) {
      return List.of(this);
    }
    int[] shareOf = shareOf(number);
    int[] sizes = new int[number];
    for (int i = 0; i < requests.length; i++) {
      sizes[shareOf[key(i)]]++;
    }
    int[][] shares = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
    int[] filled = new int[number];
    for (int i = 0; i < requests.length; i++) {
      int share = shareOf[key(i)];
      shares[share][filled[share]++] = requests[i];
    }
    return Stream.of(shares).map(TierRequests::new).toList();
  }

  /** Share of each key: the most frequent keys first, each to the smallest share. */
  private int[] shareOf(int number) {
    int keys = IntStream.range(0, requests.length).map(this::key).max().orElse(-1) + 1;
    int[] counts = new int[keys];
    for (int i = 0; i < requests.length; i++) {
      counts[key(i)]++;
    }
    PriorityQueue<long[]> bySize =
        new PriorityQueue<>(Comparator.comparingLong((long[] share) -> share[0]));
    for (int i = 0; i < number; i++) {
      bySize.add(new long[] {0, i});
    }
    int[] shareOf = new int[keys];
    IntStream.range(0, keys)
        .boxed()
        .sorted(Comparator.comparingInt((Integer key) -> -counts[key]))
        .forEach(
            key -> {
              long[] smallest = bySize.remove();
              shareOf[key] = (int) smallest[1];
              smallest[0] += counts[key];
              bySize.add(smallest);
            });
    return shareOf;
  }

  public int count() {
    return requests.length;
  }

  boolean isWrite(int request) {
    return requests[request] < 0;
  }

  int key(int request) {
    int key = requests[request];
    return key < 0 ? ~key : key;
  }
}
