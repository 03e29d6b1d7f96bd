package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

  @TempDir Path temporary;
  Path jar;
  Path directory;
  int made;

  @BeforeEach
  void server() throws IOException {
    jar = Files.writeString(temporary.resolve("server.jar"), "classes");
    directory = temporary.resolve("target/archive");
  }

  @Test
  void nothing_is_used_before_an_archive_is_made() throws IOException {
    assertThat(archive().options()).isEmpty();
    assertThat(directory).doesNotExist();
  }

  @Test
  void an_archive_is_made_once_and_used_from_then_on() throws IOException {
    archive().makeOnce(this::dump);
    archive().makeOnce(this::dump);

    assertThat(made).isEqualTo(1);
    assertThat(archive().options())
        .contains("-XX:SharedArchiveFile=" + onlyArchive(), "-XX:+VerifySharedSpaces");
    assertThat(onlyArchive()).hasContent("dump 1");
  }

  @Test
  void a_changed_jar_makes_a_new_archive_in_place_of_the_old_one() throws IOException {
    archive().makeOnce(this::dump);
    Files.writeString(jar, "more classes");

    assertThat(archive().options()).isEmpty();
    archive().makeOnce(this::dump);

    assertThat(onlyArchive()).hasContent("dump 2");
  }

  @Test
  void an_archive_cut_short_is_not_used_but_made_again() throws IOException {
    archive().makeOnce(this::dump);
    try (FileChannel file = FileChannel.open(onlyArchive(), StandardOpenOption.WRITE)) {
      file.truncate(3);
    }

    assertThat(archive().options()).isEmpty();
    archive().makeOnce(this::dump);

    assertThat(onlyArchive()).hasContent("dump 2");
  }

  @Test
  void a_jvm_that_makes_no_archive_is_asked_once() throws IOException {
    for (int i = 0; i < 2; i++) {
      archive()
          .makeOnce(
              file -> {
                made++;
                return true;
              });
    }

    assertThat(made).isEqualTo(1);
    assertThat(archive().options()).isEmpty();
  }

  @Test
  void a_start_that_failed_is_tried_again() throws IOException {
    archive().makeOnce(file -> false);
    archive().makeOnce(this::dump);

    assertThat(onlyArchive()).hasContent("dump 1");
  }

  @Test
  void what_another_makes_now_is_not_made_twice() throws IOException {
    archive()
        .makeOnce(
            file -> {
              archive().makeOnce(this::dump);
              assertThat(made).isZero();
              return dump(file);
            });

    assertThat(onlyArchive()).hasContent("dump 1");
  }

  @Test
  void nothing_is_made_where_nothing_can_be_written() throws IOException {
    directory = jar.resolve("below-a-file");

    archive().makeOnce(this::dump);

    assertThat(made).isZero();
    assertThat(archive().options()).isEmpty();
  }

  private ClassArchive archive() throws IOException {
    return new ClassArchive(directory, List.of(jar));
  }

  private boolean dump(Path file) throws IOException {
    made++;
    Files.writeString(file, "dump " + made);
    return true;
  }

  private Path onlyArchive() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> archives = files.filter(file -> file.toString().endsWith(".jsa")).toList();
      assertThat(archives).hasSize(1);
      return archives.get(0);
    }
  }
}
