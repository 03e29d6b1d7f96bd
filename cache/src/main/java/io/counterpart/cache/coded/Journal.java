package io.counterpart.cache.coded;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.JournalNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The journal of a shard, on its servers: writes that parity does not hold yet. Entries that come
 * for a server until commands leave for it are one item, under a number of its own (group commit).
 * Belongs to the shard's event loop.
 */
final class Journal {
  private static final int NUMBERS_AT_ONCE = 1024;
  private static final int MAX_ITEM_BYTES = 32 << 10;
  private static final int FIRST_ITEM_BYTES = 1 << 10;

  private final int shard;
  private final Metadata metadata;
  private final JournalFormat format = new JournalFormat();

  /** What is not sent yet, by server. */
  private final Map<ServerLink, Group> waiting = new HashMap<>();

  /** Items that servers have, or may get, in the order of their numbers. */
  private final LinkedHashSet<JournalItem> items = new LinkedHashSet<>();

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

  Journal(int shard, Metadata metadata) {
    this.shard = shard;
    this.metadata = metadata;
    this.nextNumber = metadata.log().journalNumbers().end();
  }

  /** Writes an entry to the journals of these servers. */
  void append(List<ServerLink> servers, JournalEntry entry, Consumer<Appended> done) {
    Append append = new Append(servers.size(), done);
    for (ServerLink server : servers) {
      if (server.isUsable()) {
        add(server, entry, append);
      } else {
        server.miss();
        append.failed(false);
      }
    }
    if (servers.isEmpty()) {
      done.accept(new Appended(List.of(), false));
    }
  }

  private void add(ServerLink server, JournalEntry entry, Append append) {
    Group group = waiting.get(server);
    if (group == null) {
      Group begun = new Group(server, number());
      waiting.put(server, begun);
      server.beforeFlush(begun::send);
      group = begun;
    }
    group.add(entry, append);
    if (group.isFull()) {
      group.send();
    }
  }

  private long number() {
    JournalNumbers known = metadata.log().journalNumbers();
    if (nextNumber == known.end()) {
      metadata.setJournalNumbers(new JournalNumbers(firstNumber(), nextNumber + NUMBERS_AT_ONCE));
    }
    return nextNumber++;
  }

  /** The first number that an item has, or may still get. */
  private long firstNumber() {
    return Math.min(kept, items.isEmpty() ? nextNumber : items.iterator().next().number());
  }

  /** Has the next start read items from a number on that an earlier process wrote. */
  void keep(long number) {
    kept = number;
  }

  private Stream<JournalItem> stored() {
    return items.stream().filter(JournalItem::isStored);
  }

  /** An entry is in parity, or void. */
  void release(List<JournalItem> held) {
    for (JournalItem item : held) {
      if (item.release()) {
        items.remove(item);
        bytes -= item.bytes();
        item.server().memory().addJournal(-item.bytes());
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

  /** The oldest items with a higher number than one given, in the order of their numbers. */
  List<JournalItem> storedAfter(long number, int mostItems) {
    return stored().filter(item -> item.number() > number).limit(mostItems).toList();
  }

  /** Forgets all items, which the servers have lost. */
  void clear() {
    kept = Long.MAX_VALUE;
    stored().forEach(item -> item.server().memory().addJournal(-item.bytes()));
    items.removeIf(JournalItem::isStored);
    bytes = 0;
  }

  /** Entries of one item. */
  private final class Group {
    private final ServerLink server;
    private final JournalItem item;
    private final ByteBuf entries = PooledByteBufAllocator.DEFAULT.directBuffer(FIRST_ITEM_BYTES);
    private final List<Append> appends = new ArrayList<>();
    private final List<Integer> stripes = new ArrayList<>();
    private boolean sent;

    Group(ServerLink server, long number) {
      this.server = server;
      this.item = new JournalItem(server, number);
      items.add(item);
    }

    void add(JournalEntry entry, Append append) {
      format.encode(entry, entries);
      appends.add(append);
      stripes.add(entry.stripe());
    }

    boolean isFull() {
      return entries.readableBytes() >= MAX_ITEM_BYTES;
    }

    /** Once, when it is full or commands leave. */
    void send() {
      if (!sent) {
        sent = true;
        waiting.remove(server);
        entries.writeZero(
            JournalItemSizes.padded(entries.readableBytes()) - entries.readableBytes());
        int length = entries.readableBytes();
        server.set(
            OwnKeys.journal(shard, item.number()), entries, stored -> stored(stored, length));
        entries.release();
      }
    }

    private void stored(Stored stored, int length) {
      if (stored == Stored.DONE) {
        item.stored(length, stripes);
        bytes += length;
        server.memory().addJournal(length);
        appends.forEach(append -> append.stored(item));
      } else {
        items.remove(item);
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
