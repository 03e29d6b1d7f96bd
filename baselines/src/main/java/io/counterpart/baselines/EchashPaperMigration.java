package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.scaling.Migration;
import io.counterpart.cache.coded.shard.MovingSlots;
import io.counterpart.cache.coded.shard.Shard;
import java.util.function.Consumer;

/**
 * Migration of the scheme echash that deletes an object before it writes it. Belongs to the shard's
 * event loop. Paper: ECHash §2.4 (example 2), §4.3.
 */
final class EchashPaperMigration implements Migration.Step {
  private static final int STRIPES_AT_ONCE = 64;

  private final StripeRelocation relocation;

  EchashPaperMigration(ShardServices services) {
    Shard shard = services.shard();
    // a write under way may have sent a record to its old server before the index has it
    MovingSlots slots = new MovingSlots(shard, shard.gates().busy());
    this.relocation = new StripeRelocation(services, slots, RecordMove.DELETE_FIRST, null);
  }

  @Override
  public int stripesAtOnce() {
    return STRIPES_AT_ONCE;
  }

  @Override
  public void begin(int stripe, Consumer<Boolean> moved) {
    relocation.begin(stripe, moved);
  }
}
