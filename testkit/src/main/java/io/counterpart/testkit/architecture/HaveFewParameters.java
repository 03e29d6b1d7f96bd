package io.counterpart.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * Methods and constructors have at most {@value #MOST} parameters, as the source has them: not what
 * the compiler adds for enums, inner classes and lambdas. A record's canonical constructor is free:
 * its parameters are the record's components, and a record is what more than four become.
 */
final class HaveFewParameters extends ArchCondition<JavaCodeUnit> {
  private static final int MOST = 6;

  HaveFewParameters() {
    super("have at most " + MOST + " parameters");
  }

  @Override
  public void check(JavaCodeUnit unit, ConditionEvents events) {
    int parameters = unit.getRawParameterTypes().size() - added(unit);
    boolean few =
        parameters <= MOST
            || unit.getModifiers().contains(JavaModifier.SYNTHETIC)
            || unit.getOwner().isAnonymousClass()
            || isCanonical(unit)
            || NamedExceptions.MANY_PARAMETERS.stream()
                .anyMatch(unit.getOwner().getName()::startsWith);
    events.add(
        new SimpleConditionEvent(
            unit, few, "%s has %d parameters".formatted(unit.getFullName(), parameters)));
  }

  private static int added(JavaCodeUnit unit) {
    JavaClass owner = unit.getOwner();
    if (!(unit instanceof JavaConstructor)) {
      return 0;
    }
    if (owner.isEnum()) {
      return 2; // name and ordinal
    }
    boolean inner = owner.isNestedClass() && !owner.getModifiers().contains(JavaModifier.STATIC);
    return inner ? 1 : 0;
  }

  private static boolean isCanonical(JavaCodeUnit unit) {
    JavaClass owner = unit.getOwner();
    return unit instanceof JavaConstructor
        && owner.isRecord()
        && unit.getRawParameterTypes().size()
            == owner.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .count();
  }
}
