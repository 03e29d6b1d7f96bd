package io.counterpart.testkit.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rules, by a name that a failing test shows. */
public final class ArchitectureRules {

  private static final String OURS = "io.counterpart..";
  private static final String CORE = "io.counterpart.core..";
  private static final String PLUGIN = "io.counterpart.cassandra..";
  private static final String DRIVER = "io.counterpart.driver..";
  private static final String CACHE = "io.counterpart.cache..";
  private static final String BASELINES = "io.counterpart.baselines..";
  private static final String PROCESS = "io.counterpart.process..";
  private static final String MEMCACHED = "io.counterpart.memcached..";
  private static final String CLUSTER = "io.counterpart.cluster..";
  private static final String RECOVERY = "io.counterpart.recovery..";
  private static final String LAB = "io.counterpart.lab..";
  private static final String LAB_REPORT = "io.counterpart.lab.report..";
  private static final String CLI = "io.counterpart.cli..";
  private static final String ENGINE_SPI = "io.counterpart.engine";
  private static final String ENGINES = "io.counterpart.engine..";
  private static final String TESTKIT = "io.counterpart.testkit..";

  private ArchitectureRules() {}

  /** Every rule, to be checked against all production classes together. */
  public static Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    rules.put("core is plain JDK", corePlain());
    rules.put("only the plugin sees Cassandra", onlyPluginSeesCassandra());
    rules.put("what engines provide is plain JDK", engineSpiPlain());
    rules.put("engines need nothing else of ours", dependsOnOursOnly(ENGINES, ENGINES));
    rules.put(
        "the plugin needs core, Cassandra and what engines provide",
        dependsOnOursOnly(PLUGIN, PLUGIN, CORE, ENGINE_SPI));
    rules.put("the driver's jar needs the driver only", driverAlone());
    rules.put("the memory tier needs core's decisions", dependsOnOursOnly(CACHE, CACHE, CORE));
    rules.put(
        "baselines are parts of the memory tier", dependsOnOursOnly(BASELINES, BASELINES, CACHE));
    rules.put("processes know nothing of ours", dependsOnOursOnly(PROCESS, PROCESS));
    rules.put("memcached servers are processes", dependsOnOursOnly(MEMCACHED, MEMCACHED, PROCESS));
    rules.put(
        "Cassandra nodes are processes that core places",
        dependsOnOursOnly(CLUSTER, CLUSTER, PROCESS, CORE));
    rules.put(
        "recovery needs nodes and core's decisions",
        dependsOnOursOnly(RECOVERY, RECOVERY, CLUSTER, CORE));
    rules.put(
        "lab builds on servers, cache, its baselines and core",
        dependsOnOursOnly(
            LAB, LAB, RECOVERY, CLUSTER, MEMCACHED, PROCESS, CACHE, BASELINES, DRIVER, CORE));
    rules.put(
        "the command line never links the plugin",
        dependsOnOursOnly(CLI, CLI, LAB, RECOVERY, CLUSTER, MEMCACHED, PROCESS, CACHE, CORE));
    rules.put(
        "testkit is for tests",
        noClasses()
            .that(resideInAPackage(OURS).and(not(resideInAPackage(TESTKIT))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TESTKIT));
    rules.put(
        "no package cycles", slices().matching("io.counterpart.(**)").should().beFreeOfCycles());
    rules.put("no mutable statics", noMutableStatics());
    rules.put("names say the concept", conceptualNames());
    rules.put("at most 6 parameters", fewParameters());
    rules.put(
        "reports are made of results alone",
        dependsOnOursOnly(
            LAB_REPORT, LAB_REPORT, "io.counterpart.lab.result..", "io.counterpart.lab.stats.."));
    return rules;
  }

  private static ArchRule corePlain() {
    return classes()
        .that()
        .resideInAPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(CORE, "java..", "org.jspecify..");
  }

  private static ArchRule engineSpiPlain() {
    return classes()
        .that()
        .resideInAPackage(ENGINE_SPI)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ENGINE_SPI, "java..", "org.jspecify..");
  }

  private static ArchRule driverAlone() {
    return classes()
        .that()
        .resideInAPackage(DRIVER)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            DRIVER,
            "com.datastax.oss.driver.api..",
            "com.datastax.oss.driver.internal..",
            "java..",
            "org.jspecify..",
            "org.slf4j..");
  }

  private static ArchRule onlyPluginSeesCassandra() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(PLUGIN)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.cassandra..");
  }

  private static ArchRule dependsOnOursOnly(String module, String... allowed) {
    return noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(resideInAPackage(OURS).and(not(resideInAnyPackage(allowed))));
  }

  private static ArchRule noMutableStatics() {
    return fields().that().areStatic().should().beFinal().andShould(new HoldNothingMutable());
  }

  private static ArchRule fewParameters() {
    return codeUnits()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(OURS)
        .should(new HaveFewParameters());
  }

  private static ArchRule conceptualNames() {
    return classes()
        .that()
        .resideInAPackage(OURS)
        .should()
        .haveNameNotMatching(".*(Manager|Helper|Util|Utils|Common|Impl)");
  }
}
