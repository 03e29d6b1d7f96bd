package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodingLibraryTest {

  @Test
  void a_missing_library_means_the_java_coder_and_says_which_package_has_it() {
    CodingLibrary library = CodingLibrary.load("libisal.so.999");

    assertThat(library.fallbackReason())
        .contains("libisal.so.999 not found (Debian package libisal2)");
    assertThat(library.toString()).startsWith("pure Java coder").contains("libisal.so.999");
    assertThat(library.coder(new CodeShape(5, 3))).isInstanceOf(JavaCode.class);
  }

  @Test
  void a_file_that_is_no_library_means_the_java_coder_and_says_why(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("libisal.so.2"), "no ELF file");

    CodingLibrary library = CodingLibrary.load(file.toString());

    assertThat(library.fallbackReason().orElseThrow()).startsWith(file + " cannot be used: ");
    assertThat(library.coder(new CodeShape(5, 3))).isInstanceOf(JavaCode.class);
  }
}
