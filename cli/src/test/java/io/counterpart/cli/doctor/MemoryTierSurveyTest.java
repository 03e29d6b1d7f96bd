package io.counterpart.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTierSurveyTest {

  @TempDir Path directory;

  @Test
  void what_is_missing_is_a_warning_with_the_package_that_has_it() {
    assertThat(survey("memcached-absent", "").findings())
        .allMatch(Finding::ok)
        .extracting(Finding::text)
        .containsExactly(
            "WARN  memcached: not found → only the memory tier needs it: the Debian package"
                + " memcached (apt-get install memcached)",
            "WARN  libisal: libisal.so.2 not found, the pure Java coder will be used → a much"
                + " faster one: the Debian package libisal2 (apt-get install libisal2)");
  }

  @Test
  void memcached_is_shown_with_its_version() throws IOException {
    Path program = program("echo memcached 1.6.99");

    assertThat(survey(program.toString(), "").findings().get(0).text())
        .isEqualTo("ok    memcached: 1.6.99 (" + program + ")");
  }

  @Test
  void a_memcached_that_does_not_say_its_version_is_a_warning() throws IOException {
    Path program = program("echo nonsense");

    assertThat(survey(program.toString(), "").findings().get(0).text())
        .startsWith("WARN  memcached: " + program + " -V says 'nonsense'");
  }

  @Test
  void the_library_is_found_where_the_jvm_looks() throws IOException {
    Path library = Files.createFile(directory.resolve("libisal.so.2"));

    assertThat(survey("x", "/nowhere:" + directory).findings().get(1).text())
        .isEqualTo("ok    libisal: " + library);
  }

  @Test
  void the_library_is_found_where_the_linker_looks_unless_it_was_deleted() throws IOException {
    Path library = directory.resolve("libisal.so.2");
    Files.writeString(
        directory.resolve("ld.so.cache"),
        "glibc-ld.so.cache1.1\0ÿlibisal.so.2\0/gone/libisal.so.2\0libisal.so.2\0" + library + "\0",
        StandardCharsets.ISO_8859_1);

    assertThat(survey("x", "").findings().get(1).text()).startsWith("WARN  libisal");

    Files.createFile(library);
    assertThat(survey("x", "").findings().get(1).text()).isEqualTo("ok    libisal: " + library);
  }

  private MemoryTierSurvey survey(String program, String libraryPath) {
    return new MemoryTierSurvey(program, libraryPath, directory.resolve("ld.so.cache"));
  }

  private Path program(String line) throws IOException {
    Path file = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + line + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }
}
