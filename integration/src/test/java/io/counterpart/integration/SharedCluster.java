package io.counterpart.integration;

import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstantiationException;

/**
 * Keeps a cluster running from class to class while the shape stays the same: a start costs more
 * than most tests. Stopped before another shape starts, and at the end of the run. One runs for
 * {@link OnCluster}, another for {@link OnSecondCluster}.
 */
final class SharedCluster implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    OnCluster first = test.getAnnotation(OnCluster.class);
    boolean second = first == null;
    Shape shape = second ? test.getAnnotation(OnSecondCluster.class).value() : first.value();
    Running running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedCluster.class, second))
            .getOrComputeIfAbsent(Running.class, unused -> new Running(), Running.class);
    try {
      return running.of(shape, second);
    } catch (Exception e) {
      throw new TestInstantiationException("cannot start the cluster " + shape, e);
    }
  }

  /** The one running cluster, if any. */
  private static final class Running implements AutoCloseable {
    private static final int LOG_LINES = 40;

    private Shape shape;
    private TestCluster cluster;

    TestCluster of(Shape wanted, boolean second) throws Exception {
      if (cluster != null && (shape != wanted || hasDead())) {
        close();
      }
      if (cluster == null) {
        cluster = TestCluster.start(second ? wanted.secondSpec() : wanted.sharedSpec());
        shape = wanted;
      }
      return cluster;
    }

    /** A test has failed, or a node: one of them must not fail all tests that follow. */
    private boolean hasDead() throws IOException {
      boolean found = false;
      for (Node node : cluster.cluster().nodes()) {
        if (!node.isAlive()) {
          found = true;
          List<String> log =
              Files.exists(node.logFile()) ? Files.readAllLines(node.logFile()) : List.of();
          System.out.printf("%s of %s is dead; the end of its log:%n", node, shape);
          log.subList(Math.max(0, log.size() - LOG_LINES), log.size()).forEach(System.out::println);
        }
      }
      return found;
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
