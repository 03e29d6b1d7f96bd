package io.counterpart.core.selection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Reads of a text case, one script a line: {@code FROM TO ENDPOINT reads MILLIS every MILLIS} are
 * answered after so long, {@code FROM TO ENDPOINT hangs every MILLIS} never, with a time-out of 5 s
 * and no answer to pings. {@code FROM TO ENDPOINT quiet} sends no reads. {@code FROM TO ENDPOINT
 * stuck} is the coordinator itself, whose own reads wait for threads while none ends; {@code FROM
 * TO ENDPOINT queues COUNT} the same while one ends each 20 ms.
 */
final class ScriptedReads {
  private static final long MILLI = 1_000_000;
  private static final long STEP_MILLIS = 10;
  private static final long READ_MILLIS = 20;
  private static final long TIME_OUT_MILLIS = 5_000;
  private static final List<String> RING = List.of("a", "b", "c");

  private final ReplicaSelection<String> selection = new ReplicaSelection<>(SelectionRules.DEFAULT);
  private final List<Script> scripts;
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::millis));
  private final List<String> log = new ArrayList<>();

  private record Script(
      long from,
      long to,
      String endpoint,
      long answerMillis,
      long everyMillis,
      int queued,
      boolean isStuck) {
    static Script parse(String line) {
      String[] words = line.split(" +");
      boolean reads = words[3].equals("reads");
      boolean stuck = words[3].equals("stuck");
      boolean queues = words[3].equals("queues");
      boolean quiet = stuck || queues || words[3].equals("quiet");
      return new Script(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          words[2],
          reads ? Long.parseLong(words[4]) : quiet ? 0 : -1,
          quiet ? Long.MAX_VALUE : Long.parseLong(words[reads ? 6 : 5]),
          stuck ? 5 : queues ? Integer.parseInt(words[4]) : 0,
          stuck);
    }

    boolean isActive(long millis) {
      return millis >= from && millis < to;
    }

    boolean sendsAt(long millis) {
      return everyMillis != Long.MAX_VALUE
          && isActive(millis)
          && (millis - from) % everyMillis == 0;
    }
  }

  private record Due(long millis, LongConsumer action) {}

  ScriptedReads(List<String> lines) {
    scripts = lines.stream().map(Script::parse).toList();
  }

  /** Switches with their time, then the share of rows that each endpoint loses in the end. */
  List<String> outcome() {
    long end = scripts.stream().mapToLong(Script::to).max().orElseThrow();
    for (long millis = 0; millis <= end; millis += STEP_MILLIS) {
      step(millis);
    }
    Ranking<String> ranking = selection.ranking();
    StringBuilder lost = new StringBuilder("lost");
    RING.forEach(
        endpoint -> lost.append(" %s %.2f".formatted(endpoint, ranking.lostShare(endpoint, RING))));
    log.add(lost.toString());
    return log;
  }

  private void step(long millis) {
    long now = millis * MILLI;
    while (!due.isEmpty() && due.peek().millis() <= millis) {
      due.poll().action().accept(now);
    }
    scripts.stream().filter(script -> script.sendsAt(millis)).forEach(script -> send(script, now));
    if (millis % SelectionRules.SNAPSHOT.toMillis() == 0) {
      for (Script script : scripts) {
        if (script.queued() > 0) {
          boolean active = script.isActive(millis);
          selection.own(
              script.endpoint(),
              active ? script.queued() : 0,
              (active && script.isStuck() ? script.from() : millis) / READ_MILLIS,
              now);
        }
      }
      selection.snapshot(now).forEach(each -> log.add(line(each, millis)));
      selection.pings(10, now).stream()
          .filter(endpoint -> !hangs(endpoint, millis))
          .forEach(endpoint -> selection.lives(endpoint, now));
    }
  }

  private void send(Script script, long now) {
    String endpoint = script.endpoint();
    long millis = now / MILLI;
    selection.sent(endpoint, now);
    boolean hangs = script.answerMillis() < 0;
    long after = hangs ? TIME_OUT_MILLIS : script.answerMillis();
    due.add(
        new Due(
            millis + after,
            then -> {
              if (hangs) {
                selection.lost(endpoint, after * MILLI, then);
              } else {
                selection.answered(endpoint, after * MILLI, then);
              }
            }));
  }

  private boolean hangs(String endpoint, long millis) {
    return scripts.stream()
        .anyMatch(
            script ->
                script.endpoint().equals(endpoint)
                    && script.isActive(millis)
                    && script.answerMillis() < 0);
  }

  private static String line(Switch<String> each, long millis) {
    return String.format(
        Locale.ROOT,
        "%d %s %s %.0f to %.0f ms",
        millis,
        each.endpoint(),
        each.reason(),
        each.fromMicros() / 1_000,
        each.toMicros() / 1_000);
  }
}
