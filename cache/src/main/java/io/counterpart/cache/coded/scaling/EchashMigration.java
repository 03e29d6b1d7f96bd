package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.MovingSlots;
import io.counterpart.cache.coded.shard.Shard;
import java.util.function.Consumer;

/**
 * The migration of the product: moves items to their new servers. Nothing else changes, because a
 * stripe refers to rings, not to servers. Belongs to the shard's event loop. Paper: ECHash §4.3.
 */
public final class EchashMigration implements Migration.Step {
  private static final int STRIPES_AT_ONCE = 128;

  private final Relocation relocation;

  public EchashMigration(ShardServices services, boolean resumed) {
    Shard shard = services.shard();
    MovingSlots slots = new MovingSlots(shard);
    // a write under way may have sent a record to its old server before the index has it
    slots.addStripes(shard.gates().busy());
    this.relocation = new Relocation(services, resumed, slots);
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
