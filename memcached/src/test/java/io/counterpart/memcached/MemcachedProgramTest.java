package io.counterpart.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemcachedProgramTest {

  @TempDir Path directory;

  @Test
  void the_version_is_what_the_program_says() throws IOException {
    assertThat(program("echo 'memcached 1.6.99'").version()).isEqualTo("1.6.99");
  }

  @Test
  void a_program_that_is_no_memcached_is_told_with_its_answer() throws IOException {
    MemcachedProgram other = program("echo 'bash: no such option'");

    assertThatThrownBy(other::version)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("%s -V says 'bash: no such option', not its version", other.file());
  }

  @Test
  void names_are_looked_up_in_the_path_and_paths_are_taken_as_they_are() throws IOException {
    Path data = Files.createFile(directory.resolve("no-program"));

    assertThat(MemcachedProgram.find("sh"))
        .hasValueSatisfying(found -> assertThat(found.file()).isExecutable().isAbsolute());
    assertThat(MemcachedProgram.find(program("exit").file().toString())).isPresent();
    assertThat(MemcachedProgram.find("memcached-absent")).isEmpty();
    assertThat(MemcachedProgram.find(data.toString())).isEmpty();
    assertThat(MemcachedProgram.find(directory.toString())).isEmpty();
  }

  private MemcachedProgram program(String line) throws IOException {
    Path file = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + line + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return new MemcachedProgram(file);
  }
}
