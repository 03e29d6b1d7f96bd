package io.counterpart.lab.remote.mix;

import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.KeyspaceMixChange;
import io.counterpart.core.placement.engine.MixChange;
import java.util.Objects;
import java.util.Optional;

/**
 * A change of a keyspace's mix, looked at before anything is touched.
 *
 * @param datacenter whose N changes
 * @param change with the quorums of all datacenters
 * @param isDone whether the schema has the mix already
 * @param over a mix to go over, where no level helps in one step; empty where it is not needed, or
 *     none helps
 */
public record MixPlan(
    String keyspace,
    String datacenter,
    KeyspaceMixChange change,
    boolean isDone,
    Optional<EngineMix> over) {

  /**
   * What names the datacenter on a command line, with a blank before it; empty where only one has
   * copies.
   */
  public String datacenterOption() {
    return change.byDatacenter().size() == 1 ? "" : " --datacenter " + datacenter;
  }

  /** The datacenter's part. */
  public MixChange own() {
    return Objects.requireNonNull(change.byDatacenter().get(datacenter));
  }
}
