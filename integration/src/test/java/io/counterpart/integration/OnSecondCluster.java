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
 * As {@link OnCluster}, on a second shared cluster with ports of its own: beside the first one, but
 * one class after the other.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OnSecondCluster.LOCK)
@interface OnSecondCluster {
  Shape value();

  /** Held by the class that runs on these ports. */
  String LOCK = "second ports";
}
