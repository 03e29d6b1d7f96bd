package io.counterpart.lab.bundle;

import io.counterpart.lab.result.LabResult;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The content of a bundle: its run, and its files with their checksums.
 *
 * @param format {@value #FORMAT}
 * @param version of the format; {@value #VERSION} is the only one so far
 * @param counterpart version of Counterpart that ran the experiment
 * @param experiment its name
 * @param scale smoke, small or full
 * @param seed what repeats keys and values
 * @param files every file but the manifest
 */
record BundleManifest(
    @Nullable String format,
    int version,
    @Nullable String counterpart,
    @Nullable String experiment,
    @Nullable String scale,
    @Nullable String seed,
    @Nullable List<Entry> files) {
  static final String FORMAT = "counterpart-lab-bundle";
  static final int VERSION = 1;

  /** Name of the manifest's own entry. */
  static final String NAME = "manifest.json";

  /**
   * One file.
   *
   * @param path relative to the folder, with slashes
   * @param bytes its length
   * @param crc32 of its content, 8 hexadecimal digits
   */
  record Entry(@Nullable String path, long bytes, @Nullable String crc32) {}

  static BundleManifest of(LabResult result, List<Entry> files) {
    return new BundleManifest(
        FORMAT,
        VERSION,
        String.valueOf(result.config().get("counterpart")),
        result.experiment(),
        result.scale(),
        String.valueOf(result.config().get("seed")),
        List.copyOf(files));
  }

  /** The same manifest for the same run, whatever the files: to tell a result from another's. */
  boolean describes(LabResult result) {
    return of(result, List.of())
        .equals(
            new BundleManifest(format, version, counterpart, experiment, scale, seed, List.of()));
  }

  static String text(CRC32 sum) {
    return String.format(Locale.ROOT, "%08x", sum.getValue());
  }
}
