package io.counterpart.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/**
 * A static field whose type exists to be changed. Collections declared by their interface are taken
 * as constants, since their type does not tell.
 */
final class HoldNothingMutable extends ArchCondition<JavaField> {

  private static final List<String> PACKAGES =
      List.of("java.util.concurrent.atomic.", "java.util.concurrent.locks.");
  private static final Set<String> TYPES =
      Set.of(
          "java.util.ArrayList",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.LinkedHashMap",
          "java.util.TreeMap",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.ConcurrentMap",
          "java.util.concurrent.ExecutorService",
          "java.lang.StringBuilder",
          "java.lang.ThreadLocal",
          "java.util.Random");

  /** Cassandra creates strategy objects itself, so what they share has nowhere else to be. */
  private static final Set<String> EXEMPT =
      Set.of("io.counterpart.cassandra.ring.TableRing.SHARED");

  HoldNothingMutable() {
    super("hold nothing mutable");
  }

  @Override
  public void check(JavaField field, ConditionEvents events) {
    String type = field.getRawType().getName();
    boolean exempt = EXEMPT.contains(field.getFullName());
    boolean mutable = TYPES.contains(type) || PACKAGES.stream().anyMatch(type::startsWith);
    events.add(
        new SimpleConditionEvent(
            field, exempt || !mutable, field.getFullName() + " is a static " + type));
  }
}
