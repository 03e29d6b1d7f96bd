package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.counterpart.cluster.Installation;
import io.counterpart.testkit.architecture.ArchitectureRules;
import io.counterpart.testkit.architecture.CrowdedPackages;
import io.counterpart.testkit.architecture.LongFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The compiled modules, together, keep to the rules of the architecture. */
class ArchitectureTest {

  private static final List<Path> MODULES =
      Stream.of(
              "testkit",
              "core",
              "process",
              "engines/spi",
              "engines/lmdb",
              "engines/redis",
              "engines/sql",
              "cassandra",
              "driver",
              "cache",
              "baselines",
              "memcached",
              "cluster",
              "recovery",
              "lab",
              "cli")
          .map(module -> Installation.locate().root().resolve(module).resolve("target/classes"))
          .toList();

  @Test
  void every_module_is_looked_at() {
    assertThat(MODULES).allSatisfy(classes -> assertThat(Files.isDirectory(classes)).isTrue());
  }

  @Test
  void every_module_of_the_build_is_known() throws IOException {
    String pom = Files.readString(Installation.locate().root().resolve("pom.xml"));

    assertThat(MODULES).hasSize(pom.split("<module>", -1).length - 2);
  }

  @Test
  void files_are_short() throws IOException {
    assertThat(LongFiles.in(Installation.locate().root())).isEmpty();
  }

  @Test
  void packages_are_small() throws IOException {
    assertThat(CrowdedPackages.in(Installation.locate().root())).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> keeps_the_rules() {
    JavaClasses classes = new ClassFileImporter().importPaths(MODULES);

    return ArchitectureRules.all().entrySet().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(classes)));
  }
}
