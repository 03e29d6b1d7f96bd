package io.counterpart.cache.coded;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.JournalNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a shard, on its servers: writes that parity does not hold yet. Entries that go to
 * a server in one turn of the event loop, or while it has an item to store, are one item, under a
 * number of its own (group commit). Belongs to the shard's event loop.
 */
final class Journal {
  private static final int NUMBERS_AT_ONCE = 1024;
  private static final int MAX_ITEM_BYTES = 512 << 10;

  private final int shard;
  private final EventLoop loop;
  private final Metadata metadata;
  private final JournalFormat format = new JournalFormat();
  private final Map<ServerLink, Outbox> outboxes = new HashMap<>();
  private final TreeMap<Long, JournalItem> items = new TreeMap<>();

  /** Numbers of items that are not stored yet, but may be. */
  private final TreeSet<Long> numbersUnderWay = new TreeSet<>();

  /** The lowest number of an earlier process's items that the next start is to read too. */
  private long kept = Long.MAX_VALUE;

  private long nextNumber;
  private long bytes;

  /**
   * What became of an entry.
   *
   * @param items those that hold it now
   * @param memoryShort whether a server had no memory for it
   */
  record Appended(List<JournalItem> items, boolean memoryShort) {}

  Journal(int shard, EventLoop loop, Metadata metadata) {
    this.shard = shard;
    this.loop = loop;
    this.metadata = metadata;
    this.nextNumber = metadata.log().journalNumbers().end();
  }

  /** Writes an entry to the journals of these servers. */
  void append(List<ServerLink> servers, JournalEntry entry, Consumer<Appended> done) {
    Append append = new Append(servers.size(), done);
    for (ServerLink server : servers) {
      if (server.isUsable()) {
        outbox(server).add(entry, append);
      } else {
        server.miss();
        append.failed(false);
      }
    }
    if (servers.isEmpty()) {
      done.accept(new Appended(List.of(), false));
    }
  }

  private Outbox outbox(ServerLink server) {
    return outboxes.computeIfAbsent(server, Outbox::new);
  }

  private long number() {
    JournalNumbers known = metadata.log().journalNumbers();
    if (nextNumber == known.end()) {
      metadata.setJournalNumbers(new JournalNumbers(firstNumber(), nextNumber + NUMBERS_AT_ONCE));
    }
    numbersUnderWay.add(nextNumber);
    return nextNumber++;
  }

  /** The first number that an item has, or may still get. */
  private long firstNumber() {
    long first = items.isEmpty() ? nextNumber : items.firstKey();
    long begun = numbersUnderWay.isEmpty() ? first : numbersUnderWay.first();
    return Math.min(kept, Math.min(first, begun));
  }

  /** Has the next start read items from a number on that an earlier process wrote. */
  void keep(long number) {
    kept = number;
  }

  /** Number of the oldest item; −1 if there is none. */
  long oldest() {
    return items.isEmpty() ? -1 : items.firstKey();
  }

  /** An entry is in parity, or void. */
  void release(List<JournalItem> held) {
    for (JournalItem item : held) {
      if (item.release()) {
        items.remove(item.number());
        bytes -= item.bytes();
        if (item.server().isUsable()) {
          item.server().delete(OwnKeys.journal(shard, item.number()), () -> {});
        }
      }
    }
  }

  /** Bytes on servers, those of every copy. */
  long bytes() {
    return bytes;
  }

  /** Stripes with entries in the oldest items, as many as there are in the number given. */
  List<Integer> oldestStripes(int mostItems) {
    return items.values().stream()
        .limit(mostItems)
        .flatMap(item -> item.stripes().stream())
        .distinct()
        .toList();
  }

  /** Forgets all items, which the servers have lost. */
  void clear() {
    kept = Long.MAX_VALUE;
    items.clear();
    bytes = 0;
  }

  /** What goes to one server: at most one item that is not full is under way. */
  private final class Outbox {
    private final ServerLink server;
    private @Nullable Group waiting;
    private int underWay;

    Outbox(ServerLink server) {
      this.server = server;
    }

    void add(JournalEntry entry, Append append) {
      Group group = waiting;
      if (group == null) {
        group = new Group(number());
        waiting = group;
        if (underWay == 0) {
          loop.execute(this::sendIfIdle);
        }
      }
      group.add(entry, append);
      if (group.entries.readableBytes() >= MAX_ITEM_BYTES) {
        send();
      }
    }

    private void sendIfIdle() {
      if (underWay == 0) {
        send();
      }
    }

    private void send() {
      Group group = waiting;
      if (group == null) {
        return;
      }
      waiting = null;
      underWay++;
      ByteBuf entries = group.entries;
      JournalItem item = new JournalItem(server, group.number, entries.readableBytes());
      server.set(
          OwnKeys.journal(shard, group.number), entries, stored -> stored(group, item, stored));
      entries.release();
    }

    private void stored(Group group, JournalItem item, Stored stored) {
      underWay--;
      numbersUnderWay.remove(item.number());
      group.stored(item, stored);
      if (waiting != null) {
        loop.execute(this::sendIfIdle);
      } else if (underWay == 0) {
        outboxes.remove(server);
      }
    }
  }

  /** Entries of one item. */
  private final class Group {
    private final long number;
    private final ByteBuf entries = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final List<Append> appends = new ArrayList<>();
    private final List<Integer> stripes = new ArrayList<>();

    Group(long number) {
      this.number = number;
    }

    void add(JournalEntry entry, Append append) {
      format.encode(entry, entries);
      appends.add(append);
      stripes.add(entry.stripe());
    }

    void stored(JournalItem item, Stored stored) {
      numbersUnderWay.remove(item.number());
      if (stored == Stored.DONE) {
        items.put(item.number(), item);
        bytes += item.bytes();
        stripes.forEach(item::addEntry);
        appends.forEach(append -> append.stored(item));
      } else {
        appends.forEach(append -> append.failed(stored == Stored.NO_MEMORY));
      }
    }
  }

  /** One entry on its way to several servers. */
  private static final class Append {
    private final List<JournalItem> items;
    private final Consumer<Appended> done;
    private int waiting;
    private boolean memoryShort;

    Append(int servers, Consumer<Appended> done) {
      this.items = new ArrayList<>(servers);
      this.done = done;
      this.waiting = servers;
    }

    void stored(JournalItem item) {
      items.add(item);
      oneLess();
    }

    void failed(boolean forLackOfMemory) {
      memoryShort |= forLackOfMemory;
      oneLess();
    }

    private void oneLess() {
      if (--waiting == 0) {
        done.accept(new Appended(items, memoryShort));
      }
    }
  }
}
