package io.counterpart.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The legal results of reads. The writes of a key are numbered, one at a time, and its values hold
 * their number. A read must find no write older than the last one acknowledged, or found by another
 * read, before it began. So no acknowledged write is lost and no value once read is undone; a
 * failed write may take effect later, or never.
 */
final class RegisterModel {
  private final Map<String, Register> registers = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private long reads;

  private static final class Register {
    private final NavigableSet<Long> deletions = new TreeSet<>(List.of(0L));
    private long issued;
    private long floor;
    private boolean isWriting;
  }

  private Register register(String key) {
    return registers.computeIfAbsent(key, k -> new Register());
  }

  boolean isWriting(String key) {
    return register(key).isWriting;
  }

  /** The number of a new write. */
  long beginWrite(String key, boolean deletes) {
    Register register = register(key);
    register.isWriting = true;
    register.issued++;
    if (deletes) {
      register.deletions.add(register.issued);
    }
    return register.issued;
  }

  static String value(String key, long number) {
    return key + "/" + number;
  }

  void acknowledged(String key, long number) {
    Register register = register(key);
    register.isWriting = false;
    register.floor = Math.max(register.floor, number);
  }

  void failed(String key) {
    register(key).isWriting = false;
  }

  /** Forgets the writes of a dead proxy, which will never be acknowledged. */
  void forgetWriters() {
    registers.values().forEach(register -> register.isWriting = false);
  }

  /** The oldest write that a read which begins now may find. */
  long floor(String key) {
    return register(key).floor;
  }

  void foundAbsent(String key, long floor) {
    Long deletion = register(key).deletions.ceiling(floor);
    if (deletion == null) {
      problems.add("%s is gone, though write %d was acknowledged or read".formatted(key, floor));
    } else {
      found(key, floor, deletion);
    }
  }

  void found(String key, long floor, String value) {
    int slash = value.lastIndexOf('/');
    if (slash < 0 || !value.substring(0, slash).equals(key)) {
      problems.add("%s has the value %s of another key".formatted(key, value));
    } else {
      found(key, floor, Long.parseLong(value.substring(slash + 1)));
    }
  }

  private void found(String key, long floor, long number) {
    reads++;
    Register register = register(key);
    if (number < floor || number > register.issued) {
      problems.add(
          "%s has write %d, though %d was acknowledged or read before; %d in all"
              .formatted(key, number, floor, register.issued));
    }
    register.floor = Math.max(register.floor, number);
  }

  List<String> problems() {
    return problems;
  }

  /** Number of checked reads. */
  long reads() {
    return reads;
  }
}
