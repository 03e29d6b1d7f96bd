package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Makes self-signed certificates with the JDK's keytool. */
public final class TestCertificate {
  private static final String PASSWORD = "changeit";

  private TestCertificate() {}

  /** Creates a certificate and its key in files of that name, valid for some days from now. */
  public static TlsFiles create(Path directory, String name) throws Exception {
    return create(directory, name, List.of("-validity", "3"));
  }

  /**
   * @param options of keytool, beside the necessary ones
   */
  static TlsFiles create(Path directory, String name, List<String> options) throws Exception {
    Path store = directory.resolve(name + ".p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", store.toString()));
    command.addAll(options);
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start();
    assertThat(keytool.waitFor()).as("keytool").isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    return new TlsFiles(
        pem(
            directory.resolve(name + ".crt"),
            "CERTIFICATE",
            keys.getCertificate(name).getEncoded()),
        pem(
            directory.resolve(name + ".key"),
            "PRIVATE KEY",
            keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path pem(Path file, String kind, byte[] content) throws Exception {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                kind,
                Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content),
                kind);
    return Files.writeString(file, text);
  }
}
