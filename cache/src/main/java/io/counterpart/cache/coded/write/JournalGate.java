package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.shard.Shard;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Admits writes while the journals have room for them. Journals that grow faster than folding
 * shrinks them would take the memory that updates need, so further writes wait, in order of
 * arrival, until folding catches up. One write at a time is always admitted: if servers are down
 * and the journals cannot be folded, writes slow down instead of stopping.
 *
 * <p>A waiting write has not entered a stripe, so folding never waits for it. Belongs to the
 * shard's event loop.
 */
public final class JournalGate {
  private final Shard shard;
  private final ServerTable servers;
  private final long journalBytes;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long bytesUnderWay;
  private int underWay;
  private boolean advancing;

  private record Waiting(long bytes, Consumer<Runnable> body) {}

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  public JournalGate(Shard shard, ServerTable servers, long journalBytes) {
    this.shard = shard;
    this.servers = servers;
    this.journalBytes = journalBytes;
  }

  /**
   * Runs a write once there is room.
   *
   * @param bytes of its records
   * @param body gets a callback to run once, when the write has ended
   */
  public void enter(long bytes, Consumer<Runnable> body) {
    waiting.add(new Waiting(bytes, body));
    advance();
  }

  /** Admits the waiting writes that have room now. */
  public void advance() {
    if (advancing) {
      return; // the loop below, further up the stack, goes on
    }
    advancing = true;
    for (Waiting next = waiting.peek(); next != null && admits(next); next = waiting.peek()) {
      waiting.remove();
      long bytes = next.bytes();
      bytesUnderWay += bytes;
      underWay++;
      next.body()
          .accept(
              () -> {
                bytesUnderWay -= bytes;
                underWay--;
                advance();
              });
    }
    advancing = false;
  }

  /** Whether the write that asks, which was admitted, is the only one under way, and none waits. */
  boolean isAlone() {
    return underWay == 1 && waiting.isEmpty();
  }

  private boolean admits(Waiting next) {
    if (underWay == 0) {
      return true;
    }
    long bytes = bytesUnderWay + next.bytes();
    if (shard.journal().bytes() + CodedSettings.logCopies(shard.code()) * bytes
        > 2 * journalBytes) {
      return false;
    }
    for (ServerLink link : servers.all()) {
      if (link.memory().isCrowdedWith(bytes)) {
        return false;
      }
    }
    return true;
  }
}
