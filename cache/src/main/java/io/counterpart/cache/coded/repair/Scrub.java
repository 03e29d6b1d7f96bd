package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ReadTally;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.format.ParityFormat;
import io.counterpart.cache.index.StripeState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the stripes: every object is on its server, and the parity matches the data. Folds
 * pending deltas first. Belongs to the shard's event loop.
 */
public final class Scrub {
  private final Shard shard;
  private final Folding folding;
  private final Consumer<List<String>> done;
  private final List<String> problems = new ArrayList<>();
  private int nextStripe;

  /**
   * @param done gets the errors, a line each
   */
  public Scrub(Shard shard, Folding folding, Consumer<List<String>> done) {
    this.shard = shard;
    this.folding = folding;
    this.done = done;
  }

  public void begin() {
    while (nextStripe < shard.stripes().end()) {
      int stripe = nextStripe++;
      if (shard.stripes().state(stripe) != StripeState.FREE) {
        shard.gates().enterAlone(stripe, () -> folding.foldAlone(stripe, () -> read(stripe)));
        return;
      }
    }
    done.accept(problems);
  }

  private void end(int stripe) {
    shard.gates().leave(stripe);
    begin();
  }

  private void read(int stripe) {
    if (shard.stripes().state(stripe) != StripeState.SEALED) {
      end(stripe); // of an open stripe, memory and journals have everything
      return;
    }
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, new ReadTally()),
        read -> {
          for (ObjectSlot slot : ObjectSlot.in(shard, stripe, read::wasMissing)) {
            problems.add(
                "stripe %d: %s is not on its server%s"
                    .formatted(
                        stripe,
                        slot.key(),
                        read.contentOf(slot.place()) == null ? ", nor can it be decoded" : ""));
          }
          compareParity(stripe, read);
        });
  }

  private void compareParity(int stripe, ColumnRead read) {
    byte[][] right = shard.encode(stripe, read.source());
    Countdown countdown = new Countdown(right.length, () -> end(stripe));
    for (int i = 0; i < right.length; i++) {
      int number = i;
      shard
          .items()
          .getParity(
              stripe,
              i,
              item -> {
                compare(stripe, number, right[number], item);
                countdown.oneLess();
              });
    }
  }

  private void compare(int stripe, int number, byte[] right, @Nullable ByteBuf item) {
    if (item == null) {
      problems.add("stripe %d: parity %d is not on its server".formatted(stripe, number));
      return;
    }
    ParityFormat.Parity parity = new ParityFormat().decode(item);
    if (parity == null || !Arrays.equals(right, ByteBufUtil.getBytes(parity.bytes()))) {
      problems.add("stripe %d: parity %d is not the data's".formatted(stripe, number));
    }
    item.release();
  }
}
