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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  /** The set in each server's mark, as far as this start knows. */
  private final Map<ServerId, CopySet> shown = new HashMap<>();

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
   */
  void with(Supplier<ServerMap> current, Runnable tell) {
    map = current;
    told = tell;
  }

  /**
   * Judges this copy by one more mark.
   *
   * @param found of this tier; null if the server has none
   */
  Verdict judge(ServerId server, @Nullable ServerMark found) {
    survey.saw(server, found);
    if (found != null) {
      shows(server, found.copies());
    } else {
      shown.remove(server);
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
        self != null);
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

  /** Forgets a server, or what its mark was, because it may have lost it. */
  void forget(ServerId server) {
    shown.remove(server);
    survey.forget(server);
  }

  /** Whether it is not known yet whether this copy may be served from. */
  public boolean isUndecided() {
    return !own.isSet() && self != null && survey.verdict(rings()) == Verdict.UNDECIDED;
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
