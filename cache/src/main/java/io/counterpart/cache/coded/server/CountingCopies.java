package io.counterpart.cache.coded.server;

import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.CopySurvey;
import io.counterpart.cache.ownership.CopySurvey.Verdict;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The set of copies of the metadata that count, in the marks of the servers. A start first learns
 * the newest set from the marks that it finds, and passes it on in its own until it sets another. A
 * new set is in force once all servers of k rings show it: whoever takes over looks at n − k + 1
 * rings. Belongs to the shard's event loop.
 */
public final class CountingCopies {
  private final CodeShape code;
  private final TierClaim claim;
  private final @Nullable Long self;
  private final CopySurvey survey;
  private Supplier<ServerMap> map =
      () -> {
        throw new IllegalStateException("no servers yet");
      };
  private Runnable told = () -> {};
  private IntPredicate reaches = rings -> true;

  /** The set in each server's mark, as far as this start knows. */
  private final Map<ServerId, CopySet> shown = new HashMap<>();

  /** Servers that this start has claimed from a mark with a set, which their marks have since. */
  private final Set<ServerId> claimed = new HashSet<>();

  /** The last set of this start. */
  private CopySet own = CopySet.NONE;

  private @Nullable Runnable inForce;

  /**
   * @param claim of this start
   * @param kept null in a tier that keeps no copies
   */
  public CountingCopies(CodeShape code, TierClaim claim, @Nullable CopySettings kept) {
    this.code = code;
    this.claim = claim;
    this.self = kept == null ? null : kept.self();
    this.survey =
        kept == null
            ? new CopySurvey(code, 0, true)
            : new CopySurvey(code, kept.self(), kept.isOriginal());
  }

  /** Whether a server with this mark of another owner may be emptied and taken. */
  boolean mayAdopt(ServerMark found) {
    return claim.adopts() && (self == null || !claim.tier().equals(found.tier()));
  }

  TierClaim claim() {
    return claim;
  }

  /**
   * @param current map of the servers' rings
   * @param tell passes the present set to every server in use
   * @param reached whether the servers of so many rings are used now, with leases
   */
  void with(Supplier<ServerMap> current, Runnable tell, IntPredicate reached) {
    map = current;
    told = tell;
    reaches = reached;
  }

  /**
   * Judges this copy by one more mark.
   *
   * @param found of this tier; null if the server has none
   */
  Verdict judge(ServerId server, @Nullable ServerMark found) {
    survey.saw(server, found);
    claimed.remove(server);
    if (found == null) {
      shown.remove(server);
    } else {
      if (found.copies().isSet() && claim.judge(found) == TierClaim.Verdict.OWN) {
        claimed.add(server);
      }
      shows(server, found.copies());
    }
    if (own.isSet()) {
      return Verdict.COUNTS;
    }
    if (self == null) {
      return survey.newest().isSet() ? Verdict.LACKS : Verdict.COUNTS;
    }
    return survey.verdict(rings());
  }

  /** The reason why this copy must not be served from. */
  Refusal refusal() {
    return new Refusal(
        self == null
            ? ("the tier keeps copies of its metadata on several machines, but this proxy has no"
                + " --peers: one of them could take over without its writes. Start it with"
                + " --peers, as the others")
            : ("the copy %s of the metadata, in %s, may lack writes that were acknowledged: those"
                    + " that count are %s. Start a proxy that has one of these; this one then"
                    + " follows it")
                .formatted(CopySet.name(self), claim.metadata(), survey.newest()),
        self != null,
        0);
  }

  /** The set for a server's mark. */
  CopySet of(ServerId server) {
    return own.isSet() ? own : shown.getOrDefault(server, CopySet.NONE);
  }

  /** Whether a server's mark has an earlier set of this start, or none of it. */
  boolean isToBeTold(ServerId server) {
    return own.isSet() && !own.equals(shown.get(server));
  }

  /** Notes the set in a server's own mark. */
  void shows(ServerId server, CopySet set) {
    shown.put(server, set);
    endIfInForce();
  }

  /** Forgets a server, or what its mark was, because it may lose it, or have lost it. */
  void forget(ServerId server) {
    shown.remove(server);
    claimed.remove(server);
    survey.forget(server);
  }

  /**
   * Whether this copy may be served from, by the servers that are claimed. Another owner may have
   * set a newer set meanwhile, but not on those that were claimed from marks: so n − k + 1 rings of
   * them prove that no such set is in force. A server without a mark may have lost a newer one.
   */
  public boolean mayBegin() {
    if (self == null || own.isSet() || survey.isOriginal()) {
      return true;
    }
    return rings().stream().filter(claimed::containsAll).count() > code.parityCount();
  }

  /**
   * Whether a new set could be in force soon, and what this start does counts. If not, it may be
   * cut off: a new set would only keep out copies that take over, and they must not learn that most
   * servers lack writes.
   */
  public boolean isReaching() {
    return reaches.test(code.k());
  }

  /**
   * Sets the copies that count.
   *
   * @param copies this one included
   * @param done runs once the set is in force; replaces the one of the set before
   */
  public void set(Collection<Long> copies, Runnable done) {
    own = own.next(claim.epoch(), copies);
    inForce = done;
    told.run();
    endIfInForce();
  }

  /** The last set of this start. */
  public CopySet own() {
    return own;
  }

  /** Ends the wait for the last set if it is in force by now: the servers may have changed. */
  public void endIfInForce() {
    Runnable done = inForce;
    if (done == null) {
      return;
    }
    long rings =
        rings().stream()
            .filter(ring -> ring.stream().allMatch(server -> own.equals(shown.get(server))))
            .count();
    if (rings >= code.k()) {
      inForce = null;
      done.run();
    }
  }

  private Collection<List<ServerId>> rings() {
    ServerMap present = map.get();
    Map<Integer, List<ServerId>> rings = new TreeMap<>();
    for (ServerId server : present.servers()) {
      rings.computeIfAbsent(present.ring(server), ring -> new ArrayList<>()).add(server);
    }
    return rings.values();
  }
}
