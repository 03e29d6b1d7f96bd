package io.counterpart.core.staleness.decide;

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
    return replicas > 1
        && evidence.bounds().map(bounds -> bounds.replicas() == replicas).orElse(true);
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
    return proposal().map(made -> evidence.refused().contains(made.level())).orElse(false);
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
