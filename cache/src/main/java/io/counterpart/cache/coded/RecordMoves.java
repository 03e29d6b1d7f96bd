package io.counterpart.cache.coded;

import java.util.function.Consumer;

/**
 * Migration of the scheme echash: items go to their new servers, and that is all, since a stripe
 * knows rings, not servers. Belongs to the shard's event loop. Paper: ECHash §4.3.
 */
final class RecordMoves implements Migration.Step {
  private final Relocation relocation;

  RecordMoves(Parts parts, boolean resumed) {
    MovingSlots slots = new MovingSlots(parts.shard(), false);
    // a write under way may have sent a record to its old server, and the index lacks it still
    slots.addStripes(parts.shard().gates().busy());
    this.relocation = new Relocation(parts, resumed, slots, null);
  }

  @Override
  public void begin(int stripe, Consumer<Boolean> moved) {
    relocation.begin(stripe, moved);
  }

  @Override
  public void end(Consumer<Boolean> moved) {
    moved.accept(true);
  }
}
