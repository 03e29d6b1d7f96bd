package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The class has clusters of its own on the usual ports, as users do: beside the shared clusters,
 * which have others, but one class after the other. With {@link OnCluster} it is given one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OnUsualPorts.LOCK)
@interface OnUsualPorts {
  /** Held by the class that runs on these ports. */
  String LOCK = "usual ports";
}
