package io.counterpart.cache.ownership;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one start of a shard writes into the marks of its servers, and how it judges those that it
 * finds. Thread-safe: immutable.
 *
 * @param tier whose the metadata are
 * @param epoch of this start
 * @param site of the metadata
 * @param acceptsPlain whether marks without an id may be this tier's: it was there before ids were
 * @param adopts whether servers of others are to be emptied and taken
 * @param metadata name of their directory, for messages
 */
public record TierClaim(
    UUID tier, int epoch, long site, boolean acceptsPlain, boolean adopts, String metadata) {

  /** What a mark means to this start. */
  public enum Verdict {
    /** There is no mark: nobody has the server. */
    FREE,
    /** This very start has claimed it. */
    OWN,
    /** An earlier start of this site had it, which has ended. */
    INHERITED,
    /** An earlier start of another site had it, which may live. */
    OVERTAKEN,
    /** Somebody else has it. */
    FOREIGN
  }

  /**
   * Judges a mark.
   *
   * @param found null if the server has none
   */
  public Verdict judge(@Nullable ServerMark found) {
    if (found == null) {
      return Verdict.FREE;
    }
    if (found.isPlain()) {
      return acceptsPlain ? Verdict.INHERITED : Verdict.FOREIGN;
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
  public ServerMark mark(boolean isWhole) {
    return ServerMark.of(tier, epoch, site, isWhole);
  }

  /**
   * Why a server is not used, and what to do.
   *
   * @param server its name
   * @param found which is {@link Verdict#FOREIGN}
   */
  public Refusal refusal(String server, ServerMark found) {
    boolean isByOwnTier = tier.equals(found.tier());
    return new Refusal(
        isByOwnTier ? byOwnTier(server, found) : byAnother(server, found), isByOwnTier);
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
            : found.isPlain()
                ? "a tier of an earlier version, whose marks have no id"
                : "somebody whose mark is not understood, '" + found.text() + "'";
    return ("server %s belongs to %s, but the metadata in %s are of tier %s. Go on with the"
            + " metadata of that tier, or give other servers; or empty the server and take it"
            + " with --adopt-empty, by which its objects are gone")
        .formatted(server, owner, metadata, tier);
  }
}
