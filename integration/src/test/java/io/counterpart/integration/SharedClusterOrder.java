package io.counterpart.integration;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * Classes on shared clusters come one shape after the other: each has the same ports. The longest
 * rows of classes that run one after the other begin first, those on the usual ports and on the
 * second cluster; the others fill what is left.
 */
final class SharedClusterOrder implements ClassOrderer {
  private static final int FIRST = -1;

  @Override
  public void orderClasses(ClassOrdererContext context) {
    context
        .getClassDescriptors()
        .sort(
            Comparator.<ClassDescriptor>comparingInt(SharedClusterOrder::rank)
                .thenComparing(SharedClusterOrder::isLast)
                .thenComparing(descriptor -> descriptor.getTestClass().getName()));
  }

  private static boolean isLast(ClassDescriptor descriptor) {
    return descriptor.findAnnotation(OnCluster.class).map(OnCluster::last).orElse(false);
  }

  private static int rank(ClassDescriptor descriptor) {
    if (descriptor.isAnnotated(OnUsualPorts.class)) {
      return FIRST;
    }
    return descriptor
        .findAnnotation(OnCluster.class)
        .map(OnCluster::value)
        .or(() -> descriptor.findAnnotation(OnSecondCluster.class).map(OnSecondCluster::value))
        .map(Shape::ordinal)
        .orElse(Shape.values().length);
  }
}
