package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Selections of {@link PlannedFile}s. */
final class Files {
  private Files() {}

  static long bytes(Collection<? extends PlannedFile<?>> files) {
    return files.stream().mapToLong(PlannedFile::bytes).sum();
  }

  static List<Integer> numbers(Collection<? extends PlannedFile<?>> files) {
    return files.stream().<Integer>map(PlannedFile::number).toList();
  }

  static <K extends Comparable<? super K>> List<PlannedFile<K>> withRole(
      List<PlannedFile<K>> files, Role role) {
    return files.stream().filter(file -> file.role() == role).toList();
  }

  static <K extends Comparable<? super K>> List<PlannedFile<K>> free(List<PlannedFile<K>> files) {
    return files.stream().filter(PlannedFile::isFree).toList();
  }

  static <K extends Comparable<? super K>> Collection<List<PlannedFile<K>>> byGroup(
      List<PlannedFile<K>> files, Role role) {
    Map<Integer, List<PlannedFile<K>>> groups = new TreeMap<>();
    for (PlannedFile<K> file : files) {
      if (file.role() == role) {
        groups.computeIfAbsent(file.group(), group -> new ArrayList<>()).add(file);
      }
    }
    return groups.values();
  }

  /** The first files within a number and a sum of bytes; one at least. */
  static <K extends Comparable<? super K>> List<PlannedFile<K>> within(
      List<PlannedFile<K>> files, int most, long mostBytes) {
    List<PlannedFile<K>> taken = new ArrayList<>();
    long bytes = 0;
    for (PlannedFile<K> file : files) {
      bytes += file.bytes();
      if (taken.size() >= most || (!taken.isEmpty() && bytes > mostBytes)) {
        break;
      }
      taken.add(file);
    }
    return taken;
  }

  /** The largest set of files that one key may be in: each is part of a run of its own. */
  static <K extends Comparable<? super K>> List<PlannedFile<K>> deepest(
      List<PlannedFile<K>> files) {
    List<PlannedFile<K>> byFirst = new ArrayList<>(files);
    byFirst.sort(Comparator.comparing(PlannedFile::first));
    List<PlannedFile<K>> deepest = List.of();
    List<PlannedFile<K>> open = new ArrayList<>();
    for (PlannedFile<K> file : byFirst) {
      open.removeIf(other -> other.last().compareTo(file.first()) < 0);
      open.add(file);
      if (open.size() > deepest.size()) {
        deepest = List.copyOf(open);
      }
    }
    return deepest;
  }
}
