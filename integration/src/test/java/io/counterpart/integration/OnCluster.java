package io.counterpart.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives the class's methods a running {@link TestCluster}, shared with classes of that shape. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SharedCluster.class)
@interface OnCluster {
  Shape value();

  /** For a class that leaves the cluster as others cannot use it. */
  boolean last() default false;
}
