package io.counterpart.lab.bundle;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.result.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs a run's directory into one zip file with a manifest: every regular file, no links. The same
 * folder gives the same bytes.
 */
public final class BundleWriter {
  // of no meaning, but fixed; the earliest that the format has
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private BundleWriter() {}

  /**
   * Writes or replaces a bundle in one step.
   *
   * @param folder what {@link ResultFolder} wrote, and whatever else is in it
   * @param result the folder's result
   * @param bundle may be in the folder, and is then not part of itself
   */
  public static void write(Path folder, LabResult result, Path bundle) throws IOException {
    List<Path> files = files(folder, bundle);
    WholeFile.write(bundle, out -> write(out, folder, files, result));
  }

  private static void write(OutputStream out, Path folder, List<Path> files, LabResult result)
      throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      List<BundleManifest.Entry> entries = new ArrayList<>();
      for (Path file : files) {
        String name = name(folder, file);
        begin(zip, name);
        CRC32 sum = new CRC32();
        long bytes;
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), sum)) {
          bytes = in.transferTo(zip);
        }
        zip.closeEntry();
        entries.add(new BundleManifest.Entry(name, bytes, BundleManifest.text(sum)));
      }
      begin(zip, BundleManifest.NAME);
      String manifest = new ResultJson().render(BundleManifest.of(result, entries));
      zip.write(manifest.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
  }

  private static void begin(ZipOutputStream zip, String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    zip.putNextEntry(entry);
  }

  private static List<Path> files(Path folder, Path bundle) throws IOException {
    Set<Path> own =
        Set.of(
            bundle.toAbsolutePath().normalize(),
            WholeFile.draft(bundle).normalize(),
            // of a bundle that was unpacked here
            folder.resolve(BundleManifest.NAME).toAbsolutePath().normalize());
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> !own.contains(file.toAbsolutePath().normalize()))
          .sorted()
          .toList();
    }
  }

  private static String name(Path folder, Path file) {
    return StreamSupport.stream(folder.relativize(file).spliterator(), false)
        .map(Path::toString)
        .collect(Collectors.joining("/"));
  }
}
