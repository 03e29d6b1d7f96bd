package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.protocol.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The journal of a shard: writes that parity does not hold yet, in numbered items on servers.
 * {@link JournalWriter} writes them; here is known which there are, until they are released. A
 * number is durable in the metadata before it is used, so that a restart asks for it. Belongs to
 * the shard's event loop.
 */
public final class Journal {
  /**
   * Numbers in use above which a restart would take long, because it asks every server for each.
   */
  private static final long MOST_NUMBERS = 64 << 10;

  private static final int NUMBERS_AT_ONCE = 4096;

  /** Numbers left below which more are taken. */
  private static final int FEW_NUMBERS = NUMBERS_AT_ONCE / 2;

  private static final long NONE = Long.MAX_VALUE;

  private final Metadata metadata;

  /** Items that servers have, or may get, by number. */
  private final TreeMap<Long, JournalItem> items = new TreeMap<>();

  /** The next number, which may be used once there is one. */
  private long next;

  /** End of the numbers that are durable. */
  private long durableEnd;

  /** The lowest number of an earlier process's items that the next start must read too. */
  private long kept = NONE;

  private boolean takesMore;
  private long bytes;
  private long releasedBytes;

  public Journal(Metadata metadata) {
    this.metadata = metadata;
    this.next = metadata.log().journalNumbers().end();
    this.durableEnd = next;
  }

  /** Whether this many items may {@link #begin} now; takes more numbers before they are needed. */
  boolean hasNumbers(int count) {
    if (!takesMore && durableEnd - next < FEW_NUMBERS) {
      takeMoreNumbers();
    }
    return durableEnd - next >= count;
  }

  private void takeMoreNumbers() {
    takesMore = true;
    long end = next + NUMBERS_AT_ONCE;
    metadata.setJournalNumbers(new JournalNumbers(Math.min(kept, firstNumber()), end));
    metadata.whenDurable(
        () -> {
          takesMore = false;
          durableEnd = end;
        });
  }

  /** Begins an item that a server is to get; see {@link #hasNumbers}. */
  JournalItem begin(ServerLink server) {
    JournalItem item = new JournalItem(server, next++);
    items.put(item.number(), item);
    return item;
  }

  Key key(JournalItem item) {
    return OwnKeys.journal(item.number());
  }

  /**
   * Notes that a server has an item.
   *
   * @param length of the item
   * @param stripes of its entries, all of which are needed
   */
  void stored(JournalItem item, int length, List<Integer> stripes) {
    item.stored(length, stripes);
    bytes += length;
    item.server().memory().addJournal(length);
  }

  /** Forgets an item that its server has not got. */
  void giveUp(JournalItem item) {
    items.remove(item.number());
  }

  /** Deletes an item that its server has got beside another one with the same entries. */
  void discard(JournalItem item) {
    items.remove(item.number());
    delete(item);
  }

  /** The first number that an item has, or may still get. */
  private long firstNumber() {
    return items.isEmpty() ? next : items.firstKey();
  }

  /** Makes the next start read an earlier process's items from a number on. */
  public void keep(long number) {
    kept = number;
  }

  /** Cancels {@link #keep}: those items are gone. */
  public void keepNone() {
    kept = NONE;
    long end = metadata.log().journalNumbers().end();
    metadata.setJournalNumbers(new JournalNumbers(firstNumber(), end));
  }

  /** Whether the next start reads an earlier process's items. */
  public boolean isKeeping() {
    return kept != NONE;
  }

  /** Whether an item is so old that it alone makes a restart read too many numbers. */
  public boolean isTooOld(JournalItem item) {
    return next - item.number() > MOST_NUMBERS;
  }

  /** Whether any item {@link #isTooOld}. */
  public boolean hasTooOld() {
    return !items.isEmpty() && isTooOld(items.firstEntry().getValue());
  }

  private Stream<JournalItem> stored() {
    return items.values().stream().filter(JournalItem::isStored);
  }

  /** Releases an entry that is in parity, or void. */
  public void release(List<JournalItem> held) {
    for (JournalItem item : held) {
      // otherwise all items were forgotten meanwhile
      if (item.release() && items.remove(item.number(), item)) {
        bytes -= item.bytes();
        releasedBytes += item.bytes();
        item.server().memory().removeJournal(item.bytes());
        delete(item);
      }
    }
  }

  /** Deletes an item from its server; one that is down becomes stale: it would keep the item. */
  private void delete(JournalItem item) {
    item.server().deleteSoon(key(item));
  }

  /** Bytes on servers, all copies. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of all items that were released since the start. */
  public long releasedBytes() {
    return releasedBytes;
  }

  /** The oldest items above a number, in the order of their numbers. */
  public List<JournalItem> storedAfter(long number, int mostItems) {
    List<JournalItem> found = new ArrayList<>(mostItems);
    // a stream would first count all of them
    for (JournalItem item : items.tailMap(number, false).values()) {
      if (found.size() == mostItems) {
        break;
      }
      if (item.isStored()) {
        found.add(item);
      }
    }
    return found;
  }

  /** The highest number that an item has. */
  public long lastNumber() {
    return next - 1;
  }

  /** Stripes of the stored items up to a number, released entries included. */
  public Set<Integer> stripesUpTo(long number) {
    return items.headMap(number, true).values().stream()
        .filter(JournalItem::isStored)
        .flatMap(item -> item.stripes().stream())
        .collect(Collectors.toSet());
  }

  /** Whether an item up to a number is still being stored. */
  public boolean isStoringUpTo(long number) {
    return items.headMap(number, true).values().stream().anyMatch(item -> !item.isStored());
  }

  /** Forgets all items, because the servers have lost them. */
  public void clear() {
    kept = NONE;
    stored().forEach(item -> item.server().memory().removeJournal(item.bytes()));
    items.values().removeIf(JournalItem::isStored);
    bytes = 0;
  }
}
