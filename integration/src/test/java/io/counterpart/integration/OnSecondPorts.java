package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The class has a cluster of its own on {@link Shape#SECOND_PORTS}, in turn with the classes of
 * {@link OnSecondCluster}: one of theirs that runs is stopped before.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OnSecondPorts.LOCK)
@ExtendWith(SharedCluster.SecondStopped.class)
@interface OnSecondPorts {
  /** Held by the class that runs on the second ports. */
  String LOCK = "second ports";
}
