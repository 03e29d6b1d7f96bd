package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The class starts so many nodes that 16 GB of memory do not hold others beside them, and two cores
 * are busy with them alone: it runs by itself, after all others. A lock for each kind of ports
 * would hold up those classes while it waits for the last one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Isolated
@ExtendWith(SharedCluster.Stopped.class)
@interface OnManyNodes {}
