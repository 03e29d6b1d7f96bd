package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.estimate.SampledWrites;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link SafetyRule} looks at. The proposal is made when the first rule asks for it, since
 * most rules need none and some come before there can be one. For one thread.
 */
final class SafetyRead {
  final ConsistencyPolicy policy;
  final ReadRequest request;
  final Evidence evidence;
  private Optional<Proposal> proposal = Optional.empty();
  private boolean proposed;

  SafetyRead(ConsistencyPolicy policy, ReadRequest request, Evidence evidence) {
    this.policy = policy;
    this.request = request;
    this.evidence = evidence;
  }

  /** Empty without bounds. */
  Optional<Proposal> proposal() {
    if (!proposed) {
      proposal = Proposal.of(policy, request, evidence);
      proposed = true;
    }
    return proposal;
  }

  boolean hasSupportedReplication() {
    int replicas = evidence.health().replicas();
    ReadLevel client = request.clientLevel();
    return replicas > 1
        && client != ReadLevel.OTHER
        && client.reads(replicas) <= replicas
        && evidence.bounds().map(bounds -> bounds.replicas() == replicas).orElse(true);
  }

  boolean isTooOld() {
    return evidence.newestSampleMillis() > SampledWrites.REMEMBERED.toMillis();
  }

  boolean isCold() {
    return !evidence.bounds().map(bounds -> bounds.suffices(policy.epsilon())).orElse(false);
  }

  boolean lowers() {
    return proposal().map(Proposal::lowers).orElse(false);
  }

  boolean isBelowFloor() {
    if (proposal().map(Proposal::raises).orElse(false)) {
      return false;
    }
    int replicas = evidence.health().replicas();
    return policy
        .floor()
        .map(floor -> floor.reads(replicas) > request.clientLevel().reads(replicas))
        .orElse(false);
  }

  boolean isRefused() {
    boolean unchecked = lowers() && evidence.refused().contains(ReadLevel.ALL);
    return unchecked
        || proposal().map(made -> evidence.refused().contains(made.level())).orElse(false);
  }

  /**
   * The first page's level, unless it may no longer be used: pages may be hours apart, and the
   * policy, the guardrails or the bounds may have changed since.
   *
   * @param now what a first page would get
   */
  ReadLevel laterPageLevel(LevelDecision now) {
    ReadLevel client = request.clientLevel();
    ReadLevel first = request.page().firstPageLevel().orElse(client);
    int replicas = evidence.health().replicas();
    boolean mayLower = now.lowers() && now.level().reads(replicas) <= first.reads(replicas);
    return evidence.refused().contains(first) || isBelowClient(first) && !mayLower ? client : first;
  }

  boolean isBelowClient(ReadLevel level) {
    int replicas = evidence.health().replicas();
    ReadLevel client = request.clientLevel();
    return level != client && level.reads(replicas) < client.reads(replicas);
  }

  boolean exceedsDeadline() {
    OptionalLong deadline = request.wish().deadlineMillis();
    if (deadline.isEmpty()) {
      return false;
    }
    return proposal()
        .filter(Proposal::raises)
        .map(made -> evidence.usualMillis().apply(made.level()))
        .map(usual -> usual.orElse(0) > deadline.getAsLong())
        .orElse(false);
  }
}
