package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The class starts more nodes than 20 GB of memory hold beside other clusters: it runs after all
 * other classes, alone, on the usual ports.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Isolated
@ExtendWith(SharedCluster.AllStopped.class)
@interface OnManyNodes {}
