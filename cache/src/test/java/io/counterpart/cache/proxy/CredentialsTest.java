package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
  @TempDir Path directory;

  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("users");
  }

  @Test
  void every_user_of_the_file_is_accepted_with_its_password_alone() throws IOException {
    Credentials credentials = read("ann:one\n\nbob:t:wo\nann:new\n");

    assertThat(credentials.accept("ann one".getBytes(UTF_8))).isTrue();
    assertThat(credentials.accept("ann new".getBytes(UTF_8))).isTrue();
    assertThat(credentials.accept("bob t:wo".getBytes(UTF_8))).isTrue();
    assertThat(credentials.accept("bob one".getBytes(UTF_8))).isFalse();
    assertThat(credentials.accept("ann ".getBytes(UTF_8))).isFalse();
    assertThat(credentials.accept(new byte[0])).isFalse();
    assertThat(credentials.first()).isEqualTo("ann one");
  }

  @Test
  void a_bad_line_is_told_by_its_number_without_what_it_says() {
    String legal = "legal: user:password, each of 1 to 250 bytes without a space";
    for (String bad : new String[] {"secret", "ann:", ":secret", "ann:se cret", "a nn:secret"}) {
      assertThatThrownBy(() -> read("bob:two\n" + bad + "\n"))
          .as(bad)
          .isInstanceOf(IOException.class)
          .hasMessage("line 2 of %s; %s", file, legal);
    }
    assertThatThrownBy(() -> read("ann:" + "x".repeat(251))).hasMessageContaining("line 1 of");
  }

  @Test
  void a_file_without_users_or_with_too_many_is_refused() {
    assertThatThrownBy(() -> read("\n"))
        .hasMessage("%s has 0 users; legal: 1 to 64 lines user:password", file);
    assertThatThrownBy(() -> read("a:b\n".repeat(65))).hasMessageContaining("has 65 users");
    assertThatThrownBy(() -> Credentials.read(directory.resolve("none")))
        .hasMessage(
            "%s cannot be read; needed: a file of lines user:password", directory.resolve("none"));
  }

  private Credentials read(String text) throws IOException {
    return Credentials.read(Files.writeString(file, text));
  }
}
