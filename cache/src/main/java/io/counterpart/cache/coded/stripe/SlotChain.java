package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.protocol.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The journal entries of one slot, found after a crash: the last entry and those that lead to it.
 * Entries that lead nowhere belong to abandoned writes or to an earlier life of the slot. Not
 * thread-safe.
 */
public final class SlotChain {
  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  /** An entry, copied. */
  public record Entry(
      JournalEntry.Kind kind, long sequence, long previous, byte[] delta, byte[] key) {}

  /** Adds an entry; further copies are ignored. */
  public void add(Entry entry) {
    entries.putIfAbsent(entry.sequence(), entry);
  }

  /** Drops entries up to a sequence; returns whether none is left. */
  public boolean dropUpTo(long sequence) {
    entries.headMap(sequence, true).clear();
    return entries.isEmpty();
  }

  /** The last write. */
  public Entry last() {
    return entries.lastEntry().getValue();
  }

  /** The objects that had the slot, or were to get it. */
  public Set<Key> keys() {
    return entries.values().stream()
        .map(entry -> Key.of(entry.key()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Whether an entry frees the slot of an object. */
  public boolean frees(byte[] key) {
    return entries.values().stream()
        .anyMatch(
            entry -> entry.kind() == JournalEntry.Kind.FREE && Arrays.equals(entry.key(), key));
  }

  /** The last entry and those that lead to it, in their order, from the last insert on. */
  public List<Entry> chain() {
    Deque<Entry> chain = new ArrayDeque<>();
    for (Entry entry = last(); entry != null; entry = before(entry)) {
      chain.addFirst(entry);
    }
    return new ArrayList<>(chain);
  }

  private @Nullable Entry before(Entry entry) {
    if (entry.kind() == JournalEntry.Kind.INSERT) {
      return null;
    }
    return entries.headMap(entry.sequence(), false).descendingMap().values().stream()
        .filter(earlier -> hasMade(earlier, entry.previous()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Whether an entry made the record with this sequence; an object that moved to another slot kept
   * its record.
   */
  private static boolean hasMade(Entry entry, long record) {
    return entry.sequence() == record
        || entry.kind() == JournalEntry.Kind.INSERT
            && RecordBytes.sequence(padded(entry.delta())) == record;
  }

  /** A delta padded to the record's header: it has no trailing zeros, and may be shorter. */
  private static byte[] padded(byte[] delta) {
    return Arrays.copyOf(delta, Math.max(delta.length, RecordFormat.HEADER_BYTES));
  }

  /** Removes the last entry; returns whether none is left. */
  public boolean takeBackLast() {
    entries.pollLastEntry();
    return entries.isEmpty();
  }

  /**
   * Removes the last insert and everything after it, with the abandoned inserts before it: all that
   * came since the slot was free. Returns whether no entry is left.
   */
  public boolean giveUp() {
    Entry free = lastFree(chain().get(0).sequence());
    entries.tailMap(free == null ? Long.MIN_VALUE : free.sequence(), false).clear();
    return entries.isEmpty();
  }

  /** Sum of the deltas above a sequence that lead to the last write. */
  public byte[] deltaAbove(long sequence) {
    byte[] sum = Xor.nothing();
    Entry entry = last();
    while (entry != null && entry.sequence() > sequence) {
      sum = Xor.of(sum, entry.delta());
      Entry inserted = entry;
      entry = before(inserted);
      if (entry == null && inserted.kind() == JournalEntry.Kind.INSERT) {
        entry = lastFree(inserted.sequence());
      }
    }
    return sum;
  }

  /** The entry that freed the slot for an insert. */
  private @Nullable Entry lastFree(long sequence) {
    for (Entry entry : entries.headMap(sequence, false).descendingMap().values()) {
      if (entry.kind() == JournalEntry.Kind.FREE) {
        return entry;
      }
    }
    return null;
  }

  /**
   * The slot's bytes after the last write.
   *
   * @param record the server's record; null if there is none
   * @return null if journals and record do not determine them
   */
  public byte @Nullable [] content(byte @Nullable [] record) {
    Entry first = chain().get(0);
    if (first.kind() == JournalEntry.Kind.INSERT) {
      return deltaAbove(first.sequence() - 1);
    }
    if (record == null) {
      return null;
    }
    long sequence = RecordBytes.sequence(record);
    boolean known =
        sequence == first.previous()
            || chain().stream().anyMatch(entry -> entry.sequence() == sequence);
    return known ? Xor.of(record, deltaAbove(sequence)) : null;
  }

  /** The chain of a place within a stripe; empty at first. */
  public static SlotChain of(Map<Integer, SlotChain> stripe, int within) {
    return Objects.requireNonNull(stripe.computeIfAbsent(within, number -> new SlotChain()));
  }
}
