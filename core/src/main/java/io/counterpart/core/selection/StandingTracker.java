package io.counterpart.core.selection;

import io.counterpart.core.selection.Switch.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Decides from one endpoint's readings when its standing changes. The states differ in what they
 * need as evidence, because the two errors differ in price. Too late a move away costs a few slow
 * reads. Too early a move back costs them again and again: the endpoint gets slow because its rows
 * return, and fast because they leave.
 *
 * <ul>
 *   <li>slower: the level is at least 1 above the held one in {@code slowerAfter} snapshots in a
 *       row; the last of them is held. One slow snapshot moves nothing. A wait for threads is
 *       evidence beside that of reads; alone, which is where none of this kind was answered for
 *       {@code idle}, it only keeps an endpoint as slow as it counts.
 *   <li>faster: the level is at least ½ below the held one for {@code patience}; at most one level
 *       a time, but from any height at first to level 4, and so to a quarter of its rows. For three
 *       times the patience it is on trial then.
 *   <li>relapse: on trial, the level is at least the held one again, and ½ above the least one of
 *       the trial, in {@code slowerAfter} snapshots in a row. The rows leave as they had before the
 *       move back, and patience doubles; the next slow time after a trial that was passed halves
 *       it. Waiting for a level more would keep an endpoint whose queue just holds with its rows at
 *       the edge: too slow for its readers, too fast to leave.
 *   <li>suspect: no answer for {@code silence} and three mean round trips while two reads wait. It
 *       ends with an answer, after {@code patience} too.
 *   <li>retried: an avoided endpoint gets no reads, so its level cannot fall. After each {@code
 *       idle}, if a ping was answered meanwhile, it counts as one level faster, at first as level
 *       4, and so gets a quarter of its rows. Its first reads tell.
 * </ul>
 *
 * <p>Not thread-safe. The caller gives readings in the order of time.
 */
final class StandingTracker {
  private static final double SLOWER_BY = 1;
  private static final double FASTER_BY = 0.5;
  private static final double RELAPSE_BY = 0.5;

  /** Three above an unknown endpoint: a quarter of the rows. */
  private static final double MOST_LEVEL_TRIED = 4;

  /**
   * Means of a read that are no silence yet, so that a busy disk does not look like a dead node.
   */
  private static final int USUAL_READS = 3;

  /** A slow time that begins within so many times the patience after a move back is a relapse. */
  private static final int TRIAL = 3;

  private final SelectionRules rules;
  private final double tieMicros;
  private Standing standing = Standing.UNKNOWN;
  private boolean known;
  private int slower;
  private double highest;
  private long notFasterAt;
  private long silentAt;
  private long movedBackAt;
  private boolean movedBack;
  private double levelBefore;
  private double leastOnTrial;
  private long patienceNanos;
  private long retryFrom;

  StandingTracker(SelectionRules rules, long now) {
    this.rules = rules;
    this.tieMicros = rules.tie().toNanos() / 1_000.0;
    this.patienceNanos = rules.patience().first().toNanos();
    this.notFasterAt = now;
    this.retryFrom = now;
  }

  /** A change that a reading caused, before it has an endpoint. */
  record Change(Reason reason, double fromMicros, double toMicros) {}

  Standing standing() {
    return standing;
  }

  /** The change at this snapshot; null where nothing changes. */
  @Nullable Change observe(Reading reading, long now) {
    if (isSilent(reading)) {
      silentAt = now;
      if (!standing.suspect()) {
        return slower(Reason.SILENT, new Standing(standing.level(), true), now);
      }
    }
    if (standing.suspect()) {
      return whileSuspect(reading, now);
    }
    if (!reading.isEvidence()) {
      return isStuck(reading) ? stays(now) : withoutEvidence(reading, now);
    }
    if (reading.readNanos() - retryFrom > 0) {
      retryFrom = reading.readNanos();
    }
    double level = levelOf(reading);
    if (!known && level < standing.level() + SLOWER_BY) {
      known = true;
      standing = new Standing(level, false);
      notFasterAt = now;
      return null;
    }
    return level >= slowFrom(level, now) ? whileSlower(level, now) : atMost(level, now);
  }

  /** The level from which the endpoint is slower than it counts. */
  private double slowFrom(double level, long now) {
    double usual = standing.level() + SLOWER_BY;
    if (!isOnTrial(now)) {
      return usual;
    }
    leastOnTrial = Math.min(leastOnTrial, level);
    return Math.min(usual, Math.max(standing.level(), leastOnTrial + RELAPSE_BY));
  }

  /** After a move back, for as long as another slow time is a relapse. */
  private boolean isOnTrial(long now) {
    return movedBack && now - movedBackAt <= TRIAL * patienceNanos;
  }

  private boolean isSilent(Reading reading) {
    double usualNanos = 1_000 * reading.meanMicros().orElse(0);
    return reading.silentNanos() >= rules.silence().toNanos() + USUAL_READS * usualNanos;
  }

  private @Nullable Change whileSuspect(Reading reading, long now) {
    boolean answered = reading.answeredNanos() - silentAt > 0;
    boolean longEnough = now - silentAt >= patienceNanos;
    if (!answered || !longEnough) {
      return null;
    }
    double level = reading.isEvidence() ? levelOf(reading) : standing.level();
    return movedBack(Reason.ANSWERS, new Standing(level, false), now);
  }

  /** Without evidence: whether reads wait for a thread for as long as the endpoint counts. */
  private boolean isStuck(Reading reading) {
    return reading.ownWaitMicros() > 0 && levelOf(reading) > standing.level() - FASTER_BY;
  }

  private @Nullable Change stays(long now) {
    slower = 0;
    highest = 0;
    notFasterAt = now;
    return null;
  }

  private double levelOf(Reading reading) {
    return Standing.level(reading.scoreMicros(), tieMicros);
  }

  private @Nullable Change withoutEvidence(Reading reading, long now) {
    slower = 0;
    notFasterAt = now;
    long waited = now - retryFrom;
    boolean answered = reading.answeredNanos() - retryFrom > 0;
    boolean due = waited >= Math.max(rules.idle().toNanos(), patienceNanos);
    if (!due || !answered || standing.level() <= Standing.UNKNOWN.level()) {
      return null;
    }
    retryFrom = now;
    double level = Math.min(MOST_LEVEL_TRIED, standing.level() - 1);
    level = Math.max(level, Standing.UNKNOWN.level());
    return movedBack(Reason.RETRIED, new Standing(level, false), now);
  }

  private @Nullable Change whileSlower(double level, long now) {
    notFasterAt = now;
    slower++;
    if (slower < rules.slowerAfter()) {
      return null;
    }
    known = true;
    double next = isOnTrial(now) ? Math.max(level, levelBefore) : level;
    return slower(Reason.SLOWER, new Standing(next, false), now);
  }

  private @Nullable Change atMost(double level, long now) {
    if (level > standing.level() - FASTER_BY) {
      return stays(now);
    }
    slower = 0;
    highest = Math.max(highest, level);
    if (now - notFasterAt < patienceNanos) {
      return null;
    }
    double next = Math.max(highest, Math.min(MOST_LEVEL_TRIED, standing.level() - 1));
    return movedBack(Reason.FASTER, new Standing(next, false), now);
  }

  private Change slower(Reason reason, Standing next, long now) {
    if (isOnTrial(now)) {
      patienceNanos = Math.min(2 * patienceNanos, rules.patience().most().toNanos());
    } else if (movedBack) {
      // the trial was passed; without a move back it is still the same slow time
      patienceNanos = Math.max(patienceNanos / 2, rules.patience().first().toNanos());
    }
    movedBack = false;
    return change(reason, next, now);
  }

  private Change movedBack(Reason reason, Standing next, long now) {
    movedBack = true;
    movedBackAt = now;
    levelBefore = standing.level();
    leastOnTrial = Double.MAX_VALUE;
    return change(reason, next, now);
  }

  private Change change(Reason reason, Standing next, long now) {
    double from = Standing.scoreMicros(standing.level(), tieMicros);
    standing = next;
    slower = 0;
    highest = 0;
    notFasterAt = now;
    retryFrom = now;
    return new Change(reason, from, Standing.scoreMicros(next.level(), tieMicros));
  }
}
