package io.counterpart.integration;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstantiationException;

/**
 * Keeps a cluster running from class to class while the shape stays the same: a start costs more
 * than most tests. Stopped before another shape starts, and at the end of the run. One runs for
 * {@link OnCluster}, another for {@link OnSecondCluster}. A class of {@link OnUsualPorts} has one
 * for itself, stopped at its end.
 */
final class SharedCluster implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    Place place = Place.of(test);
    Shape shape =
        place == Place.SECOND
            ? test.getAnnotation(OnSecondCluster.class).value()
            : test.getAnnotation(OnCluster.class).value();
    Running running =
        (place == Place.OWN ? ofClass(context) : context.getRoot())
            .getStore(place.namespace())
            .getOrComputeIfAbsent(Running.class, unused -> new Running(place), Running.class);
    try {
      return running.of(shape);
    } catch (Exception e) {
      throw new TestInstantiationException("cannot start the cluster " + shape, e);
    }
  }

  private static ExtensionContext ofClass(ExtensionContext context) {
    ExtensionContext found = context;
    while (found.getTestMethod().isPresent()) {
      found = found.getParent().orElseThrow();
    }
    return found;
  }

  /** For a class that has the memory of the shared clusters. */
  static final class Stopped implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      Place.FIRST.stop(context);
      Place.SECOND.stop(context);
    }
  }

  private enum Place {
    FIRST,
    SECOND,
    OWN;

    static Place of(Class<?> test) {
      if (test.isAnnotationPresent(OnSecondCluster.class)) {
        return SECOND;
      }
      return test.isAnnotationPresent(OnUsualPorts.class) ? OWN : FIRST;
    }

    ExtensionContext.Namespace namespace() {
      return ExtensionContext.Namespace.create(SharedCluster.class, this);
    }

    /** Stops a shared cluster that runs; a class that needs one later has it started again. */
    void stop(ExtensionContext context) {
      Running running = context.getRoot().getStore(namespace()).get(Running.class, Running.class);
      if (running != null) {
        running.close();
      }
    }

    ClusterSpec spec(Shape shape) {
      return switch (this) {
        case FIRST -> shape.sharedSpec();
        case SECOND -> shape.secondSpec();
        case OWN -> shape.ownSpec();
      };
    }
  }

  /** The one running cluster of a place, if any. */
  private static final class Running implements AutoCloseable {
    private static final int LOG_LINES = 40;

    private final Place place;
    private Shape shape;
    private TestCluster cluster;

    Running(Place place) {
      this.place = place;
    }

    TestCluster of(Shape wanted) throws Exception {
      if (cluster != null && (shape != wanted || hasDead())) {
        close();
      }
      if (cluster == null) {
        cluster = TestCluster.start(place.spec(wanted));
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
