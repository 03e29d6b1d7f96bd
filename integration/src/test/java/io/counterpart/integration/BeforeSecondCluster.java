package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The class starts so many nodes that a machine of 16 GB holds one other cluster beside them: it
 * runs first, before there is a second shared cluster.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ResourceLock(OnSecondPorts.LOCK)
@interface BeforeSecondCluster {}
