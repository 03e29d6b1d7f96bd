package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.objects.CodedClient.Got;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The legal values of each key: the last acknowledged value, and the effects of later writes that
 * ended without an answer or with an error.
 */
public final class AcknowledgedModel {
  private static final byte[] ABSENT = null;

  private final Random random;
  private final int keys;
  private final int largestValue;

  /** Values that each key may have; a key that is not here must not exist. */
  private final Map<String, List<byte[]>> allowed = new TreeMap<>();

  /** All values ever written, to tell the source of a wrong value. */
  private final Map<String, List<byte[]>> history = new TreeMap<>();

  private long writes;
  private boolean evicts;

  public AcknowledgedModel(Random random, int keys, int largestValue) {
    this.random = random;
    this.keys = keys;
    this.largestValue = largestValue;
  }

  /** Lets acknowledged objects leave at any time; none comes back. */
  public AcknowledgedModel evicting() {
    evicts = true;
    return this;
  }

  /** A write under way. */
  private record UnderWay(String key, byte[] value, CompletableFuture<Status> status) {}

  /** Writes and deletes at random, several keys at once, but one operation at a time on a key. */
  public void change(CodedClient client, int operations, int atOnce) {
    ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
    for (int i = 0; i < operations; i++) {
      String key = key();
      if (underWay.stream().anyMatch(write -> write.key().equals(key))) {
        continue;
      }
      underWay.add(begin(client, key));
      if (underWay.size() == atOnce) {
        end(underWay.remove());
      }
    }
    underWay.forEach(this::end);
  }

  /** Deletes about this percentage of the keys, several at once. */
  public void thin(CodedClient client, int percent, int atOnce) {
    ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
    for (int i = 0; i < keys; i++) {
      if (random.nextInt(100) < percent) {
        String key = "key-" + i;
        underWay.add(new UnderWay(key, ABSENT, client.delete(key)));
        if (underWay.size() == atOnce) {
          end(underWay.remove());
        }
      }
    }
    underWay.forEach(this::end);
  }

  /** Begins writes and returns without waiting: a crash finds them under way. */
  public void changeWithoutWaiting(CodedClient client, int operations) {
    List<String> begun = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      String key = key();
      if (!begun.contains(key)) {
        begun.add(key);
        UnderWay write = begin(client, key);
        may(write.key(), write.value());
      }
    }
  }

  private UnderWay begin(CodedClient client, String key) {
    writes++;
    if (random.nextInt(8) == 0) {
      return new UnderWay(key, ABSENT, client.delete(key));
    }
    byte[] value = value();
    history.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    return new UnderWay(key, value, client.set(key, value));
  }

  private void end(UnderWay write) {
    Status status = CodedClient.await(write.status());
    if (status == Status.DONE || status == Status.NOT_FOUND) {
      List<byte[]> only = new ArrayList<>();
      only.add(write.value());
      allowed.put(write.key(), only);
    } else {
      assertThat(status).isIn(Status.UNAVAILABLE, Status.OUT_OF_MEMORY);
      may(write.key(), write.value());
      if (status == Status.OUT_OF_MEMORY) {
        may(write.key(), ABSENT);
      }
    }
  }

  private void may(String key, byte[] value) {
    allowed
        .computeIfAbsent(
            key,
            k -> {
              List<byte[]> absent = new ArrayList<>();
              absent.add(ABSENT);
              return absent;
            })
        .add(value);
  }

  private String key() {
    return "key-" + random.nextInt(keys);
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(random.nextInt(10) == 0 ? largestValue : 200)];
    random.nextBytes(value);
    return value;
  }

  /** The problems found by reading every key; none if each has a legal value. */
  public List<String> problems(CodedClient client) {
    List<String> problems = new ArrayList<>();
    List<String> all = IntStream.range(0, keys).mapToObj(i -> "key-" + i).toList();
    SeveralAtOnce.ask(all, client::get, (key, got) -> judge(key, got, problems));
    return problems;
  }

  private void judge(String key, Got got, List<String> problems) {
    List<byte[]> may = allowed.getOrDefault(key, Arrays.asList(ABSENT));
    if (got.status() == Status.DONE) {
      if (may.stream().noneMatch(value -> Arrays.equals(value, got.value()))) {
        problems.add(
            "%s: wrong value of %d bytes, write %d of %d; allowed %s"
                .formatted(
                    key,
                    got.value().length,
                    position(key, got.value()),
                    history.getOrDefault(key, List.of()).size(),
                    may.stream().map(value -> position(key, value)).toList()));
      }
    } else if (got.status() != Status.NOT_FOUND) {
      problems.add(key + ": " + got.status());
    } else if (!evicts && may.stream().noneMatch(value -> value == ABSENT)) {
      problems.add(key + ": lost");
    }
    if (problems.isEmpty()) {
      // what was read once must stay
      List<byte[]> only = new ArrayList<>();
      only.add(got.status() == Status.DONE ? got.value() : ABSENT);
      allowed.put(key, only);
    }
  }

  private int position(String key, byte[] value) {
    List<byte[]> all = history.getOrDefault(key, List.of());
    for (int i = all.size(); i > 0; i--) {
      if (Arrays.equals(all.get(i - 1), value)) {
        return i;
      }
    }
    return 0;
  }

  public void check(CodedClient client, String when) {
    assertThat(problems(client)).as("%s, after %d writes", when, writes).isEmpty();
  }

  /** Expects every key to be gone. */
  public void clear() {
    allowed.clear();
  }

  /** Appends bytes to a key, which may not exist. */
  public void append(CodedClient client, String key, byte[] more) {
    List<byte[]> may = allowed.getOrDefault(key, Arrays.asList(ABSENT));
    Status status = CodedClient.await(client.store(StoreMode.APPEND, key, more));
    byte[] before = may.get(0);
    if (before == ABSENT) {
      assertThat(status).isEqualTo(Status.NOT_STORED);
    } else {
      assertThat(status).isEqualTo(Status.DONE);
      byte[] after = Arrays.copyOf(before, before.length + more.length);
      System.arraycopy(more, 0, after, before.length, more.length);
      List<byte[]> only = new ArrayList<>();
      only.add(after);
      allowed.put(key, only);
    }
  }
}
