package io.counterpart.cli.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A plugin jar with its version and checksum.
 *
 * @param version as its manifest says
 * @param sha256 of the whole file
 */
public record PluginJar(Path file, String version, String sha256) {

  private static final Pattern NAME = Pattern.compile("counterpart-cassandra-.*\\.jar");

  /** Whether a file has the name of a plugin jar. */
  public static boolean isNamedLikeOne(Path file) {
    return NAME.matcher(String.valueOf(file.getFileName())).matches();
  }

  /** The plugin jars of a directory, none or several in a faulty one. */
  public static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(PluginJar::isNamedLikeOne).sorted().toList();
    }
  }

  /**
   * Reads a jar.
   *
   * @throws IOException if it is no readable jar
   */
  public static PluginJar read(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      String version =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return new PluginJar(file, version == null ? "unknown" : version, digest(file));
    }
  }

  private static String digest(Path file) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
