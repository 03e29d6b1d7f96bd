package io.counterpart.cli.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.cache.control.ChangeReport;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.TierReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a coded tier's objects, for people and for programs.
 *
 * @param shards number of shards; null if there is only one
 * @param objects of all shards, with the rings of the shard that lacks most
 * @param degradedPercent share of reads that had to decode; null before any read
 * @param indexBytesPerObject memory; null without objects
 * @param logBytesPerObject disk; null without objects
 * @param change null if servers do not change
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CodedView(
    @Nullable Integer shards,
    CodedReport objects,
    @Nullable Double degradedPercent,
    @Nullable Double indexBytesPerObject,
    @Nullable Double logBytesPerObject,
    @Nullable ChangeReport change) {

  /**
   * The view of a tier; null if its scheme has no code.
   *
   * @param gets keys that clients have read; null if that is not known
   */
  static @Nullable CodedView of(TierReport report, int shards, @Nullable Long gets) {
    CodedReport coded = report.coded();
    if (coded == null) {
      return null;
    }
    return new CodedView(
        shards == 1 ? null : shards,
        coded,
        gets == null || gets == 0 ? null : 100.0 * coded.degradedReads() / gets,
        perObject(coded.indexBytes(), coded),
        perObject(coded.logBytes(), coded),
        report.change());
  }

  private static @Nullable Double perObject(long bytes, CodedReport coded) {
    return coded.objects() == 0 ? null : (double) bytes / coded.objects();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        format("code (%d,%d)", objects.n(), objects.k())
            + (shards == null ? ": " : format(", %d shards, each with at least ", shards))
            + format("%d of %d rings up; %s", objects.ringsUp(), objects.n(), objects.coder()));
    lines.add(
        format(
            "objects: %d in %d stripes, %d of them open; journals %.1f MiB",
            objects.objects(),
            objects.openStripes() + objects.sealedStripes(),
            objects.openStripes(),
            objects.journalBytes() / 1048576.0));
    lines.add(
        format(
            "live share: %.1f %% of %d slots; %d sparse stripes emptied, %d objects moved for that;"
                + " %d expired objects deleted",
            100 * objects.liveShare(),
            objects.slots(),
            objects.emptiedStripes(),
            objects.objectsOfEmptied(),
            objects.reapedObjects()));
    lines.add(
        format(
                "evicted: %d objects; %d moved out of the way for that",
                objects.evictedObjects(), objects.stayedObjects())
            + ages());
    lines.add(
        format(
                "metadata of an object: %s bytes in memory, %s on disk",
                number(indexBytesPerObject), number(logBytesPerObject))
            + copies());
    lines.add(
        format(
            "degraded reads: %d, %s %% of all; %d failed; %d objects lost",
            objects.degradedReads(),
            number(degradedPercent),
            objects.failedReads(),
            objects.lostObjects()));
    lines.add("repair: " + repair());
    lines.add("servers: " + (change == null ? "no change under way" : change.toString()));
    return lines;
  }

  private String copies() {
    return objects.metadataCopies() == 0 ? "" : "; copies that count: " + objects.metadataCopies();
  }

  private String ages() {
    return objects.evictedObjects() == 0
        ? ""
        : format(
            "; age %d s on average, %d s at last",
            objects.evictedSeconds() / objects.evictedObjects(), objects.evictionAgeSeconds());
  }

  private String repair() {
    String done =
        "%d objects and %d parity chunks restored"
            .formatted(objects.restoredObjects(), objects.restoredParity());
    return objects.stripesToRestore() == 0
        ? done
        : done + "; " + objects.stripesToRestore() + " stripes left to look at";
  }

  /** The losses that objects survive, in words. */
  String loss() {
    return "no persistent store: objects survive the loss of %s%s; if more are lost, theirs are gone"
        .formatted(
            objects.parityCount() == 1
                ? "a server"
                : objects.parityCount() + " servers of different rings",
            shards == null ? "" : " in each shard");
  }

  private static String number(@Nullable Double number) {
    return number == null ? "-" : format("%.1f", number);
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
