package io.counterpart.integration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A seeded stream of CQL over every kind of write. Each has a timestamp of its own, out of order,
 * so that any two tables that saw the same operations must give the same answers, however and
 * whenever they were flushed and compacted. {@link #TABLE} stands for the table.
 */
final class RandomOperations {
  static final String TABLE = "$T";
  static final int PARTITIONS = 120;
  static final int ROWS = 10;
  static final int VALUES = 8;

  /** Partitions that only conditional writes touch: their timestamps are the clock's. */
  static final int FIRST_CONDITIONAL = 10_000;

  private static final int CONDITIONAL_PARTITIONS = 10;
  private static final long FIRST_TIMESTAMP = 1_600_000_000_000_000L;

  private final Random random;
  private final List<Long> timestamps;
  private int next;

  RandomOperations(Random random, int count) {
    this.random = random;
    this.timestamps = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      timestamps.add(FIRST_TIMESTAMP + i * 10L);
    }
    Collections.shuffle(timestamps, random);
  }

  static String schema() {
    return "(pk int, ck int, st text static, v int, txt text, s set<int>, m map<int, text>,"
        + " l list<int>, PRIMARY KEY (pk, ck))";
  }

  boolean hasNext() {
    return next < timestamps.size();
  }

  /** The next operation; a conditional one must not overlap with others. */
  String next() {
    long timestamp = timestamps.get(next++);
    int die = random.nextInt(100);
    if (die < 3) {
      return conditional();
    }
    if (die < 8) {
      String parts =
          IntStream.range(0, 3).mapToObj(i -> single("") + ";").collect(Collectors.joining(" "));
      return "BEGIN BATCH USING TIMESTAMP " + timestamp + " " + parts + " APPLY BATCH";
    }
    return single(" USING TIMESTAMP " + timestamp);
  }

  static boolean isConditional(String operation) {
    return operation.contains(" IF ");
  }

  private String single(String using) {
    int die = random.nextInt(100);
    String row = "WHERE pk = " + pk() + " AND ck = " + ck();
    if (die < 40) {
      return insert(using);
    }
    if (die < 58) {
      return "UPDATE $T%s SET v = %d, s = s + %s, m[%d] = '%s' %s"
          .formatted(using, value(), set(), random.nextInt(5), text(), row);
    }
    if (die < 64) {
      return "UPDATE $T%s SET s = s - %s, l = [%d, %d], txt = '%s' %s"
          .formatted(using, set(), value(), value(), text(), row);
    }
    if (die < 70) {
      return "UPDATE $T%s SET st = '%s' WHERE pk = %d".formatted(using, text(), pk());
    }
    if (die < 76) {
      return "DELETE v, m[%d] FROM $T%s %s".formatted(random.nextInt(5), using, row);
    }
    if (die < 88) {
      return "DELETE FROM $T%s %s".formatted(using, row);
    }
    if (die < 96) {
      int from = ck();
      return "DELETE FROM $T%s WHERE pk = %d AND ck > %d AND ck <= %d"
          .formatted(using, pk(), from, from + 1 + random.nextInt(4));
    }
    return "DELETE FROM $T%s WHERE pk = %d".formatted(using, pk());
  }

  private String insert(String using) {
    boolean mayExpire = !using.isEmpty() && random.nextInt(4) == 0;
    String ttl = mayExpire ? " AND TTL " + (random.nextBoolean() ? 2 : 86_400) : "";
    return "INSERT INTO $T (pk, ck, v, txt, s, m, l) VALUES (%d, %d, %d, '%s', %s, {%d: '%s'}, [%d])%s"
        .formatted(
            pk(), ck(), value(), text(), set(), random.nextInt(5), text(), value(), using + ttl);
  }

  private String conditional() {
    int pk = FIRST_CONDITIONAL + random.nextInt(CONDITIONAL_PARTITIONS);
    int ck = random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 ->
          "INSERT INTO $T (pk, ck, v, txt) VALUES (%d, %d, %d, '%s') IF NOT EXISTS"
              .formatted(pk, ck, value(), text());
      case 1 ->
          "UPDATE $T SET v = %d WHERE pk = %d AND ck = %d IF v < %d"
              .formatted(value(), pk, ck, value());
      default -> "DELETE FROM $T WHERE pk = %d AND ck = %d IF v = %d".formatted(pk, ck, value());
    };
  }

  private int pk() {
    return random.nextInt(PARTITIONS);
  }

  private int ck() {
    return random.nextInt(ROWS);
  }

  private int value() {
    return random.nextInt(VALUES);
  }

  private String text() {
    return "t" + value();
  }

  private String set() {
    return "{%d, %d}".formatted(value(), VALUES + value());
  }
}
