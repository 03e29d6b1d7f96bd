package io.counterpart.engine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.engine.StorePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CreatedTableTest {
  @TempDir private Path directory;

  /** A file that is written in place may be half of one after a crash. */
  @Test
  void a_note_is_replaced_as_a_whole() throws IOException {
    Path note = Files.writeString(directory.resolve("sql-table"), "before");
    Path before = Files.createLink(directory.resolve("before"), note);
    CreatedTable table =
        new CreatedTable(new StorePlace(directory, "k", "t"), new SqlNames("k", "t_1"));

    table.record();

    assertThat(table.isRecorded()).isTrue();
    assertThat(note).hasContent("k.t_1");
    assertThat(before).hasContent("before");
  }
}
