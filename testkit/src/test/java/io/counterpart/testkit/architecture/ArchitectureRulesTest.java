package io.counterpart.testkit.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules can fail: planted classes break them. */
class ArchitectureRulesTest {

  private final JavaClasses planted =
      new ClassFileImporter().importPackages("io.counterpart.testkit.architecture.fixture");

  @Test
  void finds_a_forbidden_name() {
    assertThat(violations("names say the concept")).contains("PlantedManager");
  }

  @Test
  void finds_mutable_statics() {
    assertThat(violations("no mutable statics"))
        .contains("PlantedManager.mutable", "PlantedManager.COUNTER");
  }

  @Test
  void finds_seven_parameters_as_the_source_has_them() {
    assertThat(violations("at most 6 parameters"))
        .contains("PlantedParameters.seven", "PlantedParameters$Wide.<init>")
        .doesNotContain("six", "Choice", "Inner", "lambda")
        .hasLineCount(2);
  }

  @Test
  void finds_long_files_of_production_code(@TempDir Path root) throws IOException {
    Path sources = Files.createDirectories(root.resolve("core/src/main/java/io/counterpart/core"));
    Path tests = Files.createDirectories(root.resolve("core/src/test/java"));
    Path named = Files.createDirectories(root.resolve("cache/src/main/java/io/cache/coded"));
    Files.writeString(sources.resolve("Long.java"), "\n".repeat(301));
    Files.writeString(sources.resolve("Short.java"), "\n".repeat(300));
    Files.writeString(tests.resolve("LongTest.java"), "\n".repeat(999));
    Files.writeString(named.resolve("CodedShard.java"), "\n".repeat(999));

    assertThat(LongFiles.in(root))
        .containsExactly("core/src/main/java/io/counterpart/core/Long.java has 301 lines");
  }

  @Test
  void finds_crowded_packages_of_production_code(@TempDir Path root) throws IOException {
    Path crowded = Files.createDirectories(root.resolve("core/src/main/java/io/crowded"));
    Path full = Files.createDirectories(crowded.resolve("full"));
    Path tests = Files.createDirectories(root.resolve("core/src/test/java/io/crowded"));
    for (int i = 0; i < 26; i++) {
      Files.createFile(crowded.resolve("Class%d.java".formatted(i)));
      Files.createFile(tests.resolve("Class%dTest.java".formatted(i)));
      if (i < 25) {
        Files.createFile(full.resolve("Class%d.java".formatted(i)));
      }
    }

    assertThat(CrowdedPackages.in(root))
        .containsExactly("core/src/main/java/io/crowded has 26 files");
  }

  private String violations(String name) {
    ArchRule rule = Objects.requireNonNull(ArchitectureRules.all().get(name), name);
    EvaluationResult result = rule.evaluate(planted);
    return String.join("\n", result.getFailureReport().getDetails());
  }
}
