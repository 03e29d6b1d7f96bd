package io.counterpart.lab.bundle;

import io.counterpart.lab.result.ResultJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Reads a bundle in memory and verifies every file. */
final class BundleReader {
  // some hundred thousand files: a larger manifest is none
  private static final int MANIFEST_LIMIT_BYTES = 1 << 24;

  private final Path file;

  /**
   * What a bundle holds.
   *
   * @param manifest checked
   * @param result the bytes of result.json
   */
  record Content(BundleManifest manifest, byte[] result) {}

  BundleReader(Path file) {
    this.file = file;
  }

  /**
   * Reads every entry.
   *
   * @throws UnreadableRunException if it is no bundle, of another version, damaged, or has entries
   *     that lead elsewhere
   */
  Content read() throws UnreadableRunException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Set<String> names = names(zip);
      BundleManifest manifest = manifest(zip);
      byte[] result = null;
      for (BundleManifest.Entry entry : checked(manifest.files())) {
        String path = entry.path();
        if (path == null || !names.remove(path)) {
          throw damaged("entry '%s' is missing".formatted(path));
        }
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        boolean keep = path.equals(ResultFolder.RESULT);
        verify(zip, entry, path, keep ? kept : OutputStream.nullOutputStream());
        result = keep ? kept.toByteArray() : result;
      }
      if (!names.isEmpty()) {
        throw damaged("entry '%s' is not in its manifest".formatted(names.iterator().next()));
      }
      if (result == null) {
        throw damaged("entry '%s' is missing".formatted(ResultFolder.RESULT));
      }
      return new Content(manifest, result);
    } catch (UnreadableRunException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableRunException(
          "%s: the bundle is damaged or cut off: %s".formatted(file, e.getMessage()), e);
    }
  }

  private Set<String> names(ZipFile zip) throws UnreadableRunException {
    Set<String> names = new HashSet<>();
    Enumeration<? extends ZipEntry> entries = zip.entries();
    while (entries.hasMoreElements()) {
      ZipEntry entry = entries.nextElement();
      String name = entry.getName();
      if (leadsOut(name)) {
        // whoever unpacks it would write elsewhere
        throw new UnreadableRunException(
            "%s: refused: entry '%s' leads out of the bundle".formatted(file, name));
      }
      if (!entry.isDirectory() && !names.add(name)) {
        throw damaged("entry '%s' is there twice".formatted(name));
      }
    }
    if (!names.remove(BundleManifest.NAME)) {
      throw new UnreadableRunException(
          "%s: a zip file, but no bundle of lab run: it has no %s"
              .formatted(file, BundleManifest.NAME));
    }
    return names;
  }

  private static boolean leadsOut(String name) {
    return name.startsWith("/")
        || name.indexOf('\\') >= 0
        || name.indexOf(':') >= 0
        || List.of(name.split("/", -1)).contains("..");
  }

  private BundleManifest manifest(ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(BundleManifest.NAME);
    byte[] text;
    try (InputStream in = zip.getInputStream(entry)) {
      text = in.readNBytes(MANIFEST_LIMIT_BYTES);
    }
    CRC32 sum = new CRC32();
    sum.update(text);
    if (sum.getValue() != entry.getCrc()) {
      throw damaged("its manifest's checksum is wrong");
    }
    BundleManifest manifest = new ResultJson().parse(text, BundleManifest.class);
    if (!BundleManifest.FORMAT.equals(manifest.format())) {
      throw new UnreadableRunException(
          "%s: no bundle of lab run: its manifest's format is '%s', not '%s'"
              .formatted(file, manifest.format(), BundleManifest.FORMAT));
    }
    if (manifest.version() != BundleManifest.VERSION) {
      throw new UnreadableRunException(
          "%s: bundle of version %d: this Counterpart reads version %d"
              .formatted(file, manifest.version(), BundleManifest.VERSION));
    }
    return manifest;
  }

  private List<BundleManifest.Entry> checked(@Nullable List<BundleManifest.Entry> files)
      throws UnreadableRunException {
    if (files == null) {
      throw damaged("its manifest names no files");
    }
    return files;
  }

  private void verify(ZipFile zip, BundleManifest.Entry entry, String path, OutputStream out)
      throws IOException {
    ZipEntry stored = zip.getEntry(path);
    CRC32 sum = new CRC32();
    long bytes;
    // ZipFile itself does not look at checksums
    try (InputStream in = new CheckedInputStream(zip.getInputStream(stored), sum)) {
      bytes = in.transferTo(out);
    }
    String found = BundleManifest.text(sum);
    if (bytes != entry.bytes() || !found.equals(entry.crc32())) {
      throw damaged(
          "entry '%s' has %d bytes and checksum %s; its manifest says %d bytes and %s"
              .formatted(path, bytes, found, entry.bytes(), entry.crc32()));
    }
  }

  private UnreadableRunException damaged(String what) {
    return new UnreadableRunException("%s: the bundle is damaged: %s".formatted(file, what));
  }
}
