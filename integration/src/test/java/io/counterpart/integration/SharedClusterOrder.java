package io.counterpart.integration;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * The class with the most memory comes first, classes on shared clusters last, one shape after the
 * other: each has the same ports.
 */
final class SharedClusterOrder implements ClassOrderer {

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
    if (descriptor.isAnnotated(OnManyNodes.class)) {
      return -2;
    }
    if (descriptor.isAnnotated(OnUsualPorts.class)) {
      return -1;
    }
    return descriptor
        .findAnnotation(OnCluster.class)
        .map(OnCluster::value)
        .or(() -> descriptor.findAnnotation(OnSecondCluster.class).map(OnSecondCluster::value))
        .map(Shape::ordinal)
        .orElse(-1);
  }
}
