package io.counterpart.cache.coded.log;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.item.JournalItemSizes;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.MetadataLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes entries to the {@link Journal}. Each entry goes to n − k + 1 servers, which are the same
 * for all writes of the moment. Entries for one server that arrive before the next send form one
 * item (group commit). Belongs to the shard's event loop.
 */
public final class JournalWriter {
  private static final long WATCH_MILLIS = 25;

  /**
   * Looks after which a server is late with an item: 0.1 s. Looks, because a loop that stood still
   * itself has not read the answers yet.
   */
  private static final int LATE_LOOKS = 4;

  /** Most bytes of several entries in one item, whose length is then the next power of two. */
  private static final int MOST_ITEM_BYTES = JournalItemSizes.padded(32 << 10);

  /** Size of an OPENED entry. */
  static final int OPENED_BYTES = JournalFormat.HEADER_BYTES + 1 + Long.BYTES;

  private final Journal journal;
  private final Metadata metadata;
  private final LogServers servers;
  private final int copies;
  private final GuardedLoop loop;
  private final JournalFormat format = new JournalFormat();

  /** Groups that are not sent yet, by server. */
  private final Map<ServerLink, Group> waiting = new HashMap<>();

  /** Groups without an outcome, the oldest first. */
  private final LinkedHashSet<Group> groups = new LinkedHashSet<>();

  private boolean watching;
  private boolean ended;

  /**
   * The outcome of an entry.
   *
   * @param items the items that hold it now
   * @param memoryShort whether a server had no memory for it
   */
  public record Appended(List<JournalItem> items, boolean memoryShort) {}

  /**
   * @param copies of each entry
   */
  public JournalWriter(
      Journal journal, Metadata metadata, LogServers servers, int copies, GuardedLoop loop) {
    this.journal = journal;
    this.metadata = metadata;
    this.servers = servers;
    this.copies = copies;
    this.loop = loop;
  }

  /**
   * Writes an entry. If the disk is far behind, or if numbers run out, it waits for the metadata,
   * which bounds the backlog of the disk.
   */
  public void append(JournalEntry entry, Consumer<Appended> done) {
    if (isToWait()) {
      metadata.whenDurable(() -> append(entry, done));
      return;
    }
    LogServers.Chosen chosen = servers.take(JournalFormat.bytes(entry));
    Append append = new Append(entry.stripe(), encoded(entry), chosen, done);
    for (ServerLink server : chosen.servers()) {
      if (server.isUsable()) {
        add(server, append);
      } else {
        server.missThen(() -> append.failed(false));
      }
    }
  }

  /**
   * Writes an entry of which a certain server gets a copy before whatever the caller sends there
   * next. A server works in order: it has nothing of that without the entry.
   *
   * @return whether it is written; otherwise nothing is, because that server should get no entry
   *     now, or because the entry would have to wait
   */
  public boolean appendAhead(ServerLink first, JournalEntry entry, Consumer<Appended> done) {
    LogServers.Chosen chosen =
        isToWait() ? null : servers.takeWith(first, JournalFormat.bytes(entry));
    if (chosen == null) {
      return false;
    }
    Append append = new Append(entry.stripe(), encoded(entry), chosen, done);
    for (ServerLink server : chosen.servers()) {
      if (server.equals(first)) {
        addAhead(server, append);
      } else {
        add(server, append);
      }
    }
    return true;
  }

  private void addAhead(ServerLink server, Append append) {
    Group before = waiting.get(server);
    if (before != null) {
      before.send();
    }
    Group group = new Group(server, true);
    group.add(append);
    group.send();
  }

  private boolean isToWait() {
    return !journal.hasNumbers(copies) || metadata.isBehind();
  }

  /** Adds an entry to the server's next item. */
  private void add(ServerLink server, Append append) {
    Group group = waiting.get(server);
    if (group != null && !group.hasRoomFor(append)) {
      group.send();
      group = null;
    }
    if (group == null) {
      group = new Group(server, false);
      waiting.put(server, group);
      server.beforeFlush(group::send);
    }
    group.add(append);
  }

  /** An entry's bytes, on the heap: a server that is late may get no answer before the end. */
  private ByteBuf encoded(JournalEntry entry) {
    ByteBuf bytes = Unpooled.buffer(JournalFormat.bytes(entry));
    format.encode(entry, bytes);
    return bytes;
  }

  /**
   * An entry that tells a restart of a stripe that the metadata may not know. It accompanies each
   * entry of such a stripe, and lives as long.
   */
  private JournalEntry openedEntry(int stripe) {
    MetadataLog log = metadata.log();
    ByteBuf shape =
        Unpooled.buffer(1 + Long.BYTES)
            .writeByte(log.stripes().slotClass(stripe))
            .writeLongLE(log.stripes().layout(stripe));
    return new JournalEntry(
        Kind.OPENED, stripe, 0, 0, log.chunks().begunAt(stripe), 0, shape, Unpooled.EMPTY_BUFFER);
  }

  /** Ends the search for late servers: groups under way get no answer any more. */
  public void end() {
    ended = true;
    groups.clear();
  }

  /** Sends what servers are late with to others too. */
  private void watch() {
    watching = false;
    for (Group group : List.copyOf(groups)) {
      group.look();
    }
    watchSoon();
  }

  private void watchSoon() {
    if (!watching && !ended && !groups.isEmpty()) {
      watching = true;
      loop.schedule(this::watch, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * The entries of one item. If its server is late with it, or has no memory for it, a server of
   * another ring gets the entries too, in an item of its own; whichever comes first counts, and the
   * other items are deleted.
   */
  private final class Group {
    private final ServerLink server;
    private final JournalItem item;

    /** Whether what the server gets next relies on the item: it may not be deleted for another. */
    private final boolean isAhead;

    /** The server's ring, a bit: of this moment, as the entries have it. */
    private final long ring;

    /** The bytes of the entries, which the groups of other servers share. */
    private final CompositeByteBuf entries = Unpooled.compositeBuffer(Integer.MAX_VALUE);

    private final List<Append> appends = new ArrayList<>();
    private final List<Integer> stripes = new ArrayList<>();
    private final Set<Integer> opened = new HashSet<>();
    private final List<Copy> underWay = new ArrayList<>(1);

    /** Rings of the servers to which the entries were to go, a bit each. */
    private long rings;

    /** The server that has got the entries last, or is to get them. */
    private ServerLink last;

    /** Looks since then. */
    private int looks;

    private boolean sent;
    private boolean over;
    private boolean memoryShort;

    Group(ServerLink server, boolean isAhead) {
      this.server = server;
      this.isAhead = isAhead;
      this.last = server;
      this.item = journal.begin(server);
      this.ring = servers.ringBit(server);
      this.rings = ring;
      groups.add(this);
      watchSoon();
    }

    void add(Append append) {
      if (metadata.mayForget(append.stripe) && opened.add(append.stripe)) {
        entries.addComponent(true, encoded(openedEntry(append.stripe)));
      }
      entries.addComponent(true, append.entry.retain());
      appends.add(append);
      stripes.add(append.stripe);
    }

    /** Whether a copy is to be sent again to a server that had no memory for it. */
    boolean isPatient() {
      return !over && !isAhead;
    }

    boolean hasRoomFor(Append append) {
      int more = append.entry.readableBytes();
      return entries.readableBytes() + more + OPENED_BYTES <= MOST_ITEM_BYTES;
    }

    /** Sends the group once: when it has no room for the next entry, or when commands leave. */
    void send() {
      if (!sent) {
        sent = true;
        waiting.remove(server, this);
        send(item, ring);
      }
    }

    private void send(JournalItem copy, long ringOfCopy) {
      last = copy.server();
      looks = 0;
      Copy sending = new Copy(this, copy, ringOfCopy);
      underWay.add(sending);
      sending.send();
    }

    void look() {
      looks++;
      if (looks >= LATE_LOOKS && !over) {
        servers.late(last);
        if (!isAhead) {
          sendElsewhere();
        }
      }
    }

    /**
     * Sends the entries to a server of a ring that has none of them, nor is to get any.
     *
     * @return whether there is one
     */
    private boolean sendElsewhere() {
      long taken = 0;
      for (Append append : appends) {
        taken |= append.rings.taken();
      }
      ServerLink other = servers.substitute(taken);
      if (other == null || !journal.hasNumbers(1)) {
        return false;
      }
      long added = servers.ringBit(other);
      rings |= added;
      appends.forEach(append -> append.rings.take(added));
      if (!sent) {
        sent = true;
        waiting.remove(server, this);
        journal.giveUp(item);
      }
      send(journal.begin(other), added);
      return true;
    }

    private void ended(Copy copy, Stored stored) {
      underWay.remove(copy);
      ServerLink by = copy.item.server();
      servers.answered(by);
      if (over) {
        servers.endUnneeded(by);
      }
      if (stored == Stored.DONE) {
        stored(copy);
      } else {
        failed(copy.item, stored);
      }
    }

    private void stored(Copy copy) {
      if (over) {
        journal.discard(copy.item);
        return;
      }
      journal.stored(copy.item, copy.length, stripes);
      appends.forEach(append -> append.rings.stored(rings, copy.ring));
      end(append -> append.stored(copy.item));
    }

    private void failed(JournalItem copy, Stored why) {
      journal.giveUp(copy);
      servers.leave();
      boolean full = why == Stored.NO_MEMORY;
      memoryShort |= full;
      if (!over && underWay.isEmpty() && !(full && sendElsewhere())) {
        appends.forEach(append -> append.rings.failed(rings));
        end(append -> append.failed(memoryShort));
      }
    }

    private void end(Consumer<Append> outcome) {
      over = true;
      groups.remove(this);
      underWay.forEach(copy -> servers.beginUnneeded(copy.item.server()));
      List<Append> told = List.copyOf(appends);
      appends.clear(); // a copy that nobody needs may be under way for long
      told.forEach(outcome);
    }
  }

  /** A group's entries on their way to one server. */
  private final class Copy {
    private final Group group;
    private final JournalItem item;

    /** The server's ring when the item was begun, a bit: the server may leave it meanwhile. */
    private final long ring;

    private int length;

    Copy(Group group, JournalItem item, long ring) {
      this.group = group;
      this.item = item;
      this.ring = ring;
    }

    void send() {
      item.server()
          .setJournal(
              journal.key(item), group.entries, this::takeLength, group::isPatient, this::ended);
    }

    /** Takes a length, anew at each sending, because another length may have room then. */
    private int takeLength() {
      if (length > 0) {
        servers.leave(); // the server has refused the item
      }
      length = item.server().memory().takeJournal(group.entries.readableBytes());
      return length;
    }

    private void ended(Stored stored) {
      group.ended(this, stored);
    }
  }

  /** One entry on its way to several servers. */
  private static final class Append {
    private final Integer stripe;
    private final ByteBuf entry;
    private final List<JournalItem> items;
    private final Consumer<Appended> done;
    private int waiting;
    private boolean memoryShort;

    private final EntryRings rings;

    Append(Integer stripe, ByteBuf entry, LogServers.Chosen chosen, Consumer<Appended> done) {
      this.stripe = stripe;
      this.entry = entry;
      this.items = new ArrayList<>(chosen.servers().size());
      this.done = done;
      this.waiting = chosen.servers().size();
      this.rings = new EntryRings(chosen.rings());
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
