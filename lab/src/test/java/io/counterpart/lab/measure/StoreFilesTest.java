package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.workload.TableRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFilesTest {
  private static final TableRef TABLE = new TableRef("ks", "usertable");

  @Test
  void counts_the_stores_of_the_table_alone(@TempDir Path data) throws IOException {
    write(data.resolve("ks/usertable-1/engine/1/data.mdb"), 100);
    write(data.resolve("ks/usertable-1/engine/2/data.mdb"), 20);
    write(data.resolve("ks/usertable-1/oa-1-big-Data.db"), 1000);
    write(data.resolve("ks/other-2/engine/1/data.mdb"), 1000);

    assertThat(StoreFiles.bytes(data, TABLE)).isEqualTo(120);
  }

  @Test
  void a_table_without_files_has_none(@TempDir Path data) {
    assertThat(StoreFiles.bytes(data, TABLE)).isZero();
  }

  private static void write(Path file, int bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }
}
