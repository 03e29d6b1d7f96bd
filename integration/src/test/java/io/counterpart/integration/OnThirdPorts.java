package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The class has a cluster of its own on {@link Shape#THIRD_PORTS}: beside all others, but one class
 * after the other.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OnThirdPorts.LOCK)
@interface OnThirdPorts {
  /** Held by the class that runs on these ports. */
  String LOCK = "third ports";
}
