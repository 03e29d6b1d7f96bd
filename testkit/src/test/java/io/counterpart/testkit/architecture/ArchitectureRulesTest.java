package io.counterpart.testkit.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.Objects;
import org.junit.jupiter.api.Test;

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

  private String violations(String name) {
    ArchRule rule = Objects.requireNonNull(ArchitectureRules.all().get(name), name);
    EvaluationResult result = rule.evaluate(planted);
    return String.join("\n", result.getFailureReport().getDetails());
  }
}
