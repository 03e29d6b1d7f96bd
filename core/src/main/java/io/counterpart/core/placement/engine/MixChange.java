package io.counterpart.core.placement.engine;

import io.counterpart.core.ring.change.TokenRing;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A change of a datacenter's mix while clients read and write, and the consistency levels with
 * which no acknowledged write is missed meanwhile.
 *
 * <p>A row has the replicas O before the change and P after it. A node of P that is not in O has no
 * data until a repair brings it, and a coordinator may go on with O for a while after others have
 * begun with P. So what one of them writes, and another one reads, may have O on either side and P
 * on the other. Two sets of O ∪ P with w and r members meet for certain if {@code w + r > |O ∪ P|}.
 * With U for the largest |O ∪ P| of the ring's arcs, reads are safe if
 *
 * <ul>
 *   <li>r copies of P and the W of before, of O, are more than U: writes from before the change,
 *   <li>r copies of O and w copies of P are more than U: what the first coordinators write after
 *       it, and the last ones read before it,
 *   <li>neither level is below the quorum of either mix: before the change, and after the repair,
 *       when applications go over to the new levels one by one, writes and reads in any order.
 * </ul>
 *
 * <p>Worked: (2, 2, 1) to (3, 2, 2), where both old copies stay, so U = 3. A read of one copy may
 * meet the new, empty one; of two copies one is old and has every write. Reads ask 2 copies, writes
 * wait for 2 as before.
 *
 * <p>If even all of P may miss a write of before, no level of reads helps: U ≥ N' + W, which is the
 * case if fewer than N − W + 1 copies stay. A repair <em>before</em> the change then helps, once
 * writes wait for more copies, w: what was acknowledged earlier is in all of O after it, and the
 * rest in w of it, so w takes the place of W in the first condition. If no copy stays, nothing
 * does.
 *
 * @param from the mix of before
 * @param to the mix of after
 * @param most the most nodes that keep a row before or after, U
 * @param gaining nodes that get copies
 * @param losing nodes that keep copies no more
 */
public record MixChange(
    EngineMix from, EngineMix to, int most, Set<String> gaining, Set<String> losing) {
  /** Checks and copies. */
  public MixChange {
    int least = Math.max(from.copies(), to.copies());
    if (most < least || most > from.copies() + to.copies()) {
      throw new IllegalArgumentException(
          "nodes with a copy before or after are %d, legal: %d to %d"
              .formatted(most, least, from.copies() + to.copies()));
    }
    gaining = Set.copyOf(gaining);
    losing = Set.copyOf(losing);
  }

  /**
   * Copies that a request waits for.
   *
   * @param before with coordinators that know the mix of before
   * @param after with coordinators that know the mix of after
   */
  public record Asked(int before, int after) {}

  /** The change on a ring, by the rule that the replication strategy places copies with. */
  public static MixChange of(TokenRing ring, String datacenter, EngineMix from, EngineMix to) {
    List<List<String>> before = replicas(ring, datacenter, from);
    List<List<String>> after = replicas(ring, datacenter, to);
    int most = Math.max(from.copies(), to.copies());
    Set<String> gaining = new TreeSet<>();
    Set<String> losing = new TreeSet<>();
    for (int i = 0; i < before.size(); i++) {
      Set<String> lost = new HashSet<>(before.get(i));
      after.get(i).forEach(lost::remove);
      Set<String> gained = new HashSet<>(after.get(i));
      before.get(i).forEach(gained::remove);
      most = Math.max(most, before.get(i).size() + gained.size());
      gaining.addAll(gained);
      losing.addAll(lost);
    }
    return new MixChange(from, to, most, gaining, losing);
  }

  private static List<List<String>> replicas(TokenRing ring, String datacenter, EngineMix mix) {
    return new EngineReplication(Map.of(datacenter, mix.quotas())).replicas(ring);
  }

  /** The fewest copies of a row that stay where they are. */
  public int kept() {
    return from.copies() + to.copies() - most;
  }

  /**
   * Whether reads of all new copies meet every write of before.
   *
   * @param repairedFirst whether a repair comes before the change, beside writes to all copies
   */
  public boolean isPossible(boolean repairedFirst) {
    return to.copies() + (repairedFirst ? from.copies() : from.writeQuorum()) > most;
  }

  /** Copies that a level waits for. */
  public Asked asked(CopyLevel level) {
    return new Asked(level.copies(from.copies()), level.copies(to.copies()));
  }

  /**
   * What writes wait for as long as applications leave their level: W before the change, and after
   * it what the weakest level that asks for so many now asks for then. Worked: three of five copies
   * may be QUORUM, which is two of three.
   */
  public Asked presentWrites() {
    int now = from.writeQuorum();
    int then =
        Arrays.stream(CopyLevel.values())
            .filter(level -> level.copies(from.copies()) >= now)
            .mapToInt(level -> level.copies(to.copies()))
            .filter(copies -> copies <= to.copies())
            .min()
            .orElse(now);
    return new Asked(now, now > to.copies() ? now : Math.min(now, then));
  }

  /** Whether writes may wait for so many copies, both before the change and after it. */
  public boolean allowsWrites(Asked writes) {
    return isWithin(writes, from.writeQuorum(), to.writeQuorum());
  }

  /**
   * Whether reads that wait for so many copies miss no acknowledged write.
   *
   * @param repairedFirst whether a repair comes before the change, beside such writes
   */
  public boolean allowsReads(Asked reads, Asked writes, boolean repairedFirst) {
    int written = repairedFirst ? writes.before() : from.writeQuorum();
    return isWithin(reads, from.readQuorum(), to.readQuorum())
        && reads.after() + written > most
        && reads.before() + writes.after() > most;
  }

  private boolean isWithin(Asked asked, int leastBefore, int leastAfter) {
    return asked.before() >= leastBefore
        && asked.before() <= from.copies()
        && asked.after() >= leastAfter
        && asked.after() <= to.copies();
  }
}
