package io.counterpart.integration;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstantiationException;

/**
 * Keeps one cluster running from class to class while the shape stays the same: a start costs more
 * than most tests. Stopped before another shape starts, and at the end of the run.
 */
final class SharedCluster implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Shape shape = context.getRequiredTestClass().getAnnotation(OnCluster.class).value();
    Running running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
            .getOrComputeIfAbsent(Running.class, unused -> new Running(), Running.class);
    try {
      return running.of(shape);
    } catch (Exception e) {
      throw new TestInstantiationException("cannot start the cluster " + shape, e);
    }
  }

  /** The one running cluster, if any. */
  private static final class Running implements AutoCloseable {
    private Shape shape;
    private TestCluster cluster;

    TestCluster of(Shape wanted) throws Exception {
      if (cluster != null && shape != wanted) {
        close();
      }
      if (cluster == null) {
        cluster = TestCluster.start(wanted.spec());
        shape = wanted;
      }
      return cluster;
    }

    @Override
    public void close() {
      if (cluster != null) {
        cluster.close();
        cluster = null;
      }
    }
  }
}
