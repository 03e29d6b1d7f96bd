package io.counterpart.lab.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTest {
  private final LabResult result = LabResultOf.blocks(1, 150, 1);

  @TempDir private Path directory;
  private Path folder;
  private Path bundle;

  @BeforeEach
  void write() throws IOException {
    folder = directory.resolve("run");
    bundle = directory.resolve("deep/run.zip");
    ResultFolder.write(folder, result);
    Files.createDirectories(folder.resolve("charts"));
    Files.writeString(folder.resolve("charts/report.html"), "<p>a report</p>");
    BundleWriter.write(folder, result, bundle);
  }

  @Test
  void holds_the_whole_folder_byte_by_byte_and_leaves_no_draft() throws IOException {
    Map<String, byte[]> entries = entries();

    assertThat(entries.keySet())
        .containsExactly(
            "charts/report.html", "figures.json", "latencies.hlog", "result.json", "manifest.json");
    entries.remove("manifest.json");
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      assertThat(entry.getValue())
          .as(entry.getKey())
          .isEqualTo(Files.readAllBytes(folder.resolve(entry.getKey())));
    }
    assertThat(StoredRun.read(bundle).blocks()).isEqualTo(result.blocks());
    try (Stream<Path> files = Files.list(bundle.getParent())) {
      assertThat(files).containsExactly(bundle);
    }
  }

  @Test
  void is_the_same_for_the_same_folder_even_where_it_lies_in_it() throws IOException {
    Path inside = folder.resolve("run.zip");

    BundleWriter.write(folder, result, inside);
    BundleWriter.write(folder, result, inside);

    assertThat(inside).hasSameBinaryContentAs(bundle);
  }

  @Test
  void keeps_the_old_bundle_if_the_new_one_fails() throws IOException {
    byte[] old = Files.readAllBytes(bundle);

    assertThatThrownBy(() -> BundleWriter.write(directory.resolve("none"), result, bundle))
        .isInstanceOf(IOException.class);

    assertThat(bundle).hasBinaryContent(old);
  }

  @Test
  void damage_anywhere_is_noticed_or_harmless() throws IOException {
    byte[] whole = Files.readAllBytes(bundle);
    Path damaged = directory.resolve("damaged.zip");
    int noticed = 0;
    int tried = 0;
    // a step that is prime to the lengths of the format's fields meets each of them somewhere
    for (int at = 0; at < whole.length; at += 7) {
      tried++;
      byte[] bytes = whole.clone();
      bytes[at] ^= 0x10;
      Files.write(damaged, bytes);
      try {
        // such as a file's time, which says nothing
        assertThat(StoredRun.read(damaged).blocks()).as("byte " + at).isEqualTo(result.blocks());
      } catch (UnreadableRunException e) {
        assertThat(e).hasMessageStartingWith(damaged.toString());
        noticed++;
      }
    }
    assertThat(noticed).isGreaterThan(tried * 8 / 10);
  }

  @Test
  void a_bundle_cut_off_anywhere_is_refused() throws IOException {
    byte[] whole = Files.readAllBytes(bundle);
    Path cut = directory.resolve("cut.zip");
    for (int length = 0; length < whole.length; length += 97) {
      Files.write(cut, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> StoredRun.read(cut)).isInstanceOf(UnreadableRunException.class);
    }
  }

  @Test
  void a_changed_entry_whose_zip_is_sound_is_refused_by_the_manifest() throws IOException {
    Map<String, byte[]> entries = entries();
    entries.put("latencies.hlog", "other".getBytes(StandardCharsets.UTF_8));
    refused(entries, "damaged: entry 'latencies.hlog' has 5 bytes");
  }

  @Test
  void a_missing_entry_is_named() throws IOException {
    Map<String, byte[]> entries = entries();
    entries.remove("figures.json");
    refused(entries, "damaged: entry 'figures.json' is missing");
  }

  @Test
  void an_entry_that_the_manifest_does_not_have_is_named() throws IOException {
    Map<String, byte[]> entries = entries();
    entries.put("more.txt", new byte[1]);
    refused(entries, "damaged: entry 'more.txt' is not in its manifest");
  }

  @Test
  void entries_that_lead_out_are_refused() throws IOException {
    for (String name : new String[] {"../x", "a/../../x", "/etc/x", "..\\x", "C:/x", "a/.."}) {
      Map<String, byte[]> entries = entries();
      entries.put(name, new byte[1]);
      refused(entries, "refused: entry '%s' leads out of the bundle".formatted(name));
    }
  }

  @Test
  void other_zip_files_and_other_versions_are_told_apart() throws IOException {
    refused(Map.of("a.txt", new byte[1]), "no bundle of lab run: it has no manifest.json");
    refused(Map.of("manifest.json", utf8("{}")), "its manifest's format is 'null'");
    refused(
        Map.of("manifest.json", utf8("{\"format\":\"counterpart-lab-bundle\",\"version\":2}")),
        "bundle of version 2: this Counterpart reads version 1");
    refused(
        Map.of("manifest.json", utf8("{\"format\":\"counterpart-lab-bundle\",\"version\":1}")),
        "its manifest names no files");
  }

  @Test
  void a_manifest_of_another_run_is_refused() throws IOException {
    Map<String, Object> config = LabResultOf.config();
    config.put("seed", 2);
    new ResultJson()
        .write(
            folder.resolve("result.json"),
            LabResultOf.result("depart-exp1", config, result.blocks()));

    BundleWriter.write(folder, result, bundle);

    assertThatThrownBy(() -> StoredRun.read(bundle))
        .hasMessageContaining("its manifest is of another run than its result");
  }

  private void refused(Map<String, byte[]> entries, String message) throws IOException {
    Path file = directory.resolve("made.zip");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    }
    assertThatThrownBy(() -> StoredRun.read(file))
        .isInstanceOf(UnreadableRunException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(message);
  }

  private Map<String, byte[]> entries() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(bundle))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
    }
    return entries;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
