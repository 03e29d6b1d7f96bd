package io.counterpart.cache.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
  @TempDir static Path directory;

  private static TlsFiles good;

  @BeforeAll
  static void create() throws Exception {
    good = TestCertificate.create(directory, "good");
  }

  @Test
  void a_certificate_and_its_key_are_taken() throws Exception {
    assertThat(good.server().isServer()).isTrue();
  }

  @Test
  void a_key_of_another_certificate_is_refused() throws Exception {
    TlsFiles other = TestCertificate.create(directory, "other");

    assertThatThrownBy(() -> new TlsFiles(good.certificate(), other.key()).server())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s is not the key of %s; needed: the key that the certificate was made for",
            other.key(), good.certificate());
  }

  @Test
  void a_certificate_of_another_time_is_refused() throws Exception {
    TlsFiles past =
        TestCertificate.create(directory, "past", List.of("-startdate", "-10d", "-validity", "3"));

    assertThatThrownBy(past::server)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(past.certificate() + ": NotAfter: ")
        .hasMessageEndingWith("needed: a certificate in PEM that is valid today");
  }

  @Test
  void files_that_are_missing_or_something_else_are_told() throws Exception {
    Path none = directory.resolve("none");
    Path text = Files.writeString(directory.resolve("text"), "no PEM\n");

    assertThatThrownBy(() -> new TlsFiles(none, good.key()).server())
        .hasMessage("%s cannot be read; needed: a certificate in PEM", none);
    assertThatThrownBy(() -> new TlsFiles(good.certificate(), none).server())
        .hasMessage("%s cannot be read; needed: a private key in PEM", none);
    assertThatThrownBy(() -> new TlsFiles(text, good.key()).server())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(text.toString());
    assertThatThrownBy(() -> new TlsFiles(good.certificate(), text).server())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(text + " cannot be used with " + good.certificate())
        .hasMessageEndingWith("legal: PEM, the key as PKCS #8 without a password");
  }
}
