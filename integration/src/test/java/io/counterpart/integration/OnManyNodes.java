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
 * The class starts so many nodes, on the usual ports, that 16 GB of memory do not hold them beside
 * the second shared cluster and those of single classes: it begins before these, as a rule, beside
 * classes without a cluster.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OnUsualPorts.LOCK)
@ResourceLock(OnSecondCluster.LOCK)
@ResourceLock(OnThirdPorts.LOCK)
@ExtendWith(SharedCluster.SecondStopped.class)
@interface OnManyNodes {}
