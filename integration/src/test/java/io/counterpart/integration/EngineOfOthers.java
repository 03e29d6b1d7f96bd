package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/**
 * The jar of an engine {@code mine} that is not of this build. It does as LMDB's, which it needs.
 */
final class EngineOfOthers {
  private static final String SOURCE =
      """
      package others;

      public final class MineProvider implements io.counterpart.engine.KvStoreProvider {
        @Override
        public String name() {
          return "mine";
        }

        @Override
        public io.counterpart.engine.KvEngine engine(java.util.Map<String, String> options) {
          return io.counterpart.engine.KvStoreProvider.named("lmdb", getClass().getClassLoader())
              .engine(options);
        }
      }
      """;

  private EngineOfOthers() {}

  /** Makes it in a directory. */
  static Path jar(Path directory) throws IOException {
    Path source = Files.createDirectories(directory.resolve("others")).resolve("MineProvider.java");
    Files.writeString(source, SOURCE);
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                directory.toString(),
                source.toString());
    assertThat(exitCode).isZero();
    Path file = directory.resolve("mine.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry("others/MineProvider.class"));
      jar.write(Files.readAllBytes(directory.resolve("others/MineProvider.class")));
      jar.putNextEntry(new JarEntry("META-INF/services/io.counterpart.engine.KvStoreProvider"));
      jar.write("others.MineProvider".getBytes(UTF_8));
    }
    return file;
  }
}
