package io.counterpart.cache.coded;

import io.counterpart.cache.coded.JournalNumberWalk.ServerJournal;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.JournalNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads all journals from the servers after a restart. Belongs to the shard's event loop. */
final class JournalReading {
  private final int shard;
  private final JournalNumbers numbers;
  private final JournalFormat format = new JournalFormat();
  private final Map<Integer, Map<Integer, SlotChain>> stripes = new TreeMap<>();

  /** Stripes of which an entry says with which sequence they were opened last. */
  private final Map<Integer, Opened> opened = new TreeMap<>();

  /** How a stripe was opened. */
  record Opened(long sequence, int slotClass, long layout) implements Comparable<Opened> {
    @Override
    public int compareTo(Opened other) {
      return Long.compare(sequence, other.sequence);
    }

    private static Opened of(JournalEntry entry) {
      ByteBuf shape = entry.delta();
      int at = shape.readerIndex();
      return new Opened(entry.sequence(), shape.getByte(at), shape.getLongLE(at + 1));
    }
  }

  JournalReading(int shard, JournalNumbers numbers) {
    this.shard = shard;
    this.numbers = numbers;
  }

  /** Asks every usable server for every number that an item may have. */
  void read(Collection<ServerLink> servers, Runnable done) {
    List<ServerItems> journals = servers.stream().map(ServerItems::new).toList();
    new JournalNumberWalk(numbers, journals, done).begin();
  }

  /** What one server has. */
  private final class ServerItems implements ServerJournal {
    private final ServerLink server;

    ServerItems(ServerLink server) {
      this.server = server;
    }

    @Override
    public boolean isUsable() {
      return server.isUsable();
    }

    @Override
    public void ask(long number, Runnable answered) {
      server.get(
          OwnKeys.journal(shard, number),
          item -> {
            take(item);
            answered.run();
          });
    }
  }

  private void take(@Nullable ByteBuf item) {
    if (item == null) {
      return;
    }
    ByteBuf unread = item.duplicate();
    for (JournalEntry e = format.decode(unread); e != null; e = format.decode(unread)) {
      if (e.kind() == JournalEntry.Kind.OPENED) {
        opened.merge(e.stripe(), Opened.of(e), BinaryOperator.maxBy(Comparator.naturalOrder()));
        continue;
      }
      SlotChain.of(
              stripes.computeIfAbsent(e.stripe(), stripe -> new TreeMap<>()),
              Place.within(e.chunk(), e.slot()))
          .add(
              new SlotChain.Entry(
                  e.kind(),
                  e.sequence(),
                  e.previous(),
                  ByteBufUtil.getBytes(e.delta()),
                  ByteBufUtil.getBytes(e.key())));
    }
    item.release();
  }

  /** Chains by stripe and place within it. */
  Map<Integer, Map<Integer, SlotChain>> stripes() {
    return stripes;
  }

  /** Stripes that entries say to have been opened. */
  Map<Integer, Opened> opened() {
    return opened;
  }

  /**
   * Drops the items with these numbers from the servers that are usable. One that is lost meanwhile
   * is stale, and emptied: so none of them stays there for good.
   */
  static void drop(
      int shard, JournalNumbers numbers, Collection<ServerLink> servers, Runnable done) {
    List<ServerJournal> journals =
        servers.stream()
            .filter(ServerLink::isUsable)
            .<ServerJournal>map(
                server ->
                    (number, answered) -> server.delete(OwnKeys.journal(shard, number), answered))
            .toList();
    new JournalNumberWalk(numbers, journals, done).begin();
  }
}
