package io.counterpart.cache.ownership;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one start of a shard in the marks of its servers, and its verdicts on the marks
 * that it finds. Thread-safe: immutable.
 *
 * @param tier of the metadata
 * @param epoch of this start
 * @param site of the metadata
 * @param adopts whether servers of other tiers are to be emptied and taken
 * @param metadata name of their directory, for messages
 */
public record TierClaim(UUID tier, int epoch, long site, boolean adopts, String metadata) {

  /** The meaning of a mark for this start. */
  public enum Verdict {
    /** No mark: the server has no owner. */
    FREE,
    /** This start has claimed the server. */
    OWN,
    /** An earlier start of this site had the server, and has ended. */
    INHERITED,
    /** An earlier start of another site had the server, and may live. */
    OVERTAKEN,
    /** Another owner has the server. */
    FOREIGN
  }

  /**
   * Classifies a mark.
   *
   * @param found null if the server has none
   */
  public Verdict judge(@Nullable ServerMark found) {
    if (found == null) {
      return Verdict.FREE;
    }
    if (!tier.equals(found.tier()) || found.epoch() > epoch) {
      return Verdict.FOREIGN;
    }
    if (found.epoch() == epoch) {
      return found.site() == site ? Verdict.OWN : Verdict.FOREIGN;
    }
    return found.site() == site ? Verdict.INHERITED : Verdict.OVERTAKEN;
  }

  /** The mark of a server that this start owns. */
  public ServerMark mark(boolean isWhole, CopySet copies) {
    return ServerMark.of(tier, epoch, site, isWhole, copies);
  }

  /**
   * The reason why a server is not used, and what to do.
   *
   * @param server its name
   * @param found which is {@link Verdict#FOREIGN}
   */
  public Refusal refusal(String server, ServerMark found) {
    boolean isByOwnTier = tier.equals(found.tier());
    return new Refusal(
        isByOwnTier ? byOwnTier(server, found) : byAnother(server, found),
        isByOwnTier,
        isByOwnTier ? found.epoch() : 0);
  }

  /**
   * The reason why a server is not added that has the mark of this start, which has not claimed it
   * under that name.
   *
   * @param server its name
   */
  public Refusal refusalOfKnown(String server) {
    return new Refusal(
        ("server %s has the mark of this start already: the tier has it under another name, and"
                + " would empty it. If the tier has let it go under another name, restart it empty,"
                + " and add it then")
            .formatted(server),
        false,
        0);
  }

  private String byOwnTier(String server, ServerMark found) {
    return ("server %s is owned by start %d of tier %s, but this is start %d, of the metadata in"
            + " %s: another machine serves the tier, or these metadata are an old copy. Stop"
            + " the other proxy, and go on with the newest metadata")
        .formatted(server, found.epoch(), found.tier(), epoch, metadata);
  }

  private String byAnother(String server, ServerMark found) {
    String owner =
        found.tier() != null
            ? "tier " + found.tier()
            : "somebody whose mark is not understood, '" + found.text() + "'";
    return ("server %s belongs to %s, but the metadata in %s are of tier %s. Go on with the"
            + " metadata of that tier, or give other servers; or empty the server and take it"
            + " with --adopt-empty, by which its objects are gone")
        .formatted(server, owner, metadata, tier);
  }
}
