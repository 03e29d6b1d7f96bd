package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.log.JournalNumberWalk.ServerJournal;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.SlotChain;
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
public final class JournalReading {
  private final JournalNumbers numbers;
  private final JournalFormat format = new JournalFormat();
  private final Map<Integer, Map<Integer, SlotChain>> stripes = new TreeMap<>();

  /** The last opening of each stripe that has an OPENED entry. */
  private final Map<Integer, Opened> opened = new TreeMap<>();

  /** The opening of a stripe. */
  public record Opened(long sequence, int slotClass, long layout) implements Comparable<Opened> {
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

  public JournalReading(JournalNumbers numbers) {
    this.numbers = numbers;
  }

  /** Asks every usable server for every number that an item may have. */
  public void read(Collection<ServerLink> servers, Runnable done) {
    List<ServerItems> journals = servers.stream().map(ServerItems::new).toList();
    new JournalNumberWalk(numbers, journals, done).begin();
  }

  /** Collects the items of one server. */
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
          OwnKeys.journal(number),
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
  public Map<Integer, Map<Integer, SlotChain>> stripes() {
    return stripes;
  }

  /** Stripes with an OPENED entry. */
  public Map<Integer, Opened> opened() {
    return opened;
  }

  /**
   * Deletes the items with these numbers. A server that is down, or is lost meanwhile, becomes
   * stale and is emptied, so no item remains.
   *
   * @param done does not run if the shard ends, since too many servers would be stale
   */
  public static void drop(JournalNumbers numbers, Collection<ServerLink> servers, Runnable done) {
    List<ServerLink> down = servers.stream().filter(server -> !server.isUsable()).toList();
    List<ServerLink> others = servers.stream().filter(ServerLink::isUsable).toList();
    Countdown stale = new Countdown(down.size() + 1, () -> dropFrom(others, numbers, done));
    down.forEach(server -> server.missThen(stale::oneLess));
    stale.oneLess();
  }

  /** One that is lost meanwhile becomes stale at its first deletion. */
  private static void dropFrom(List<ServerLink> servers, JournalNumbers numbers, Runnable done) {
    List<ServerJournal> journals =
        servers.stream()
            .<ServerJournal>map(
                server -> (number, answered) -> server.delete(OwnKeys.journal(number), answered))
            .toList();
    new JournalNumberWalk(numbers, journals, done).begin();
  }
}
