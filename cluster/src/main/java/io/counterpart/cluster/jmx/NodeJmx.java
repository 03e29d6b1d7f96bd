package io.counterpart.cluster.jmx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * A JMX connection to one node. Calls that fail on the wire throw {@link UncheckedIOException};
 * names that do not exist throw {@link IllegalArgumentException}. Thread-safe.
 */
public final class NodeJmx implements AutoCloseable {

  public static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  // what the server hands out tells for itself that it is encrypted; its registry does not
  private static final String REGISTRY_SOCKETS = "com.sun.jndi.rmi.factory.socket";

  private final JMXConnector connector;
  private final MBeanServerConnection server;

  private NodeJmx(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
  }

  public static NodeJmx connect(int port) throws IOException {
    return connect(new JmxEndpoint("127.0.0.1", port, null));
  }

  // JNDI is how JMX is addressed; who asks names a registry of a Cassandra node that they trust
  @SuppressWarnings("BanJNDI")
  static NodeJmx connect(JmxEndpoint endpoint) throws IOException {
    Login login = endpoint.login();
    Map<String, Object> environment = new HashMap<>();
    if (login != null) {
      environment.put(JMXConnector.CREDENTIALS, new String[] {login.user(), login.password()});
    }
    if (endpoint.tls()) {
      environment.put(REGISTRY_SOCKETS, new SslRMIClientSocketFactory());
    }
    String host = endpoint.host();
    // an IPv6 address is bracketed in a URL
    host = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    String url = "service:jmx:rmi:///jndi/rmi://" + host + ":" + endpoint.port() + "/jmxrmi";
    return new NodeJmx(JMXConnectorFactory.connect(new JMXServiceURL(url), environment));
  }

  /** Reads an attribute. */
  public Object attribute(String objectName, String attribute) {
    return call(
        objectName + " " + attribute, () -> server.getAttribute(name(objectName), attribute));
  }

  /** Addresses of the ring's nodes as this one knows them, each as often as it has tokens. */
  public Collection<?> tokenOwners() {
    return ((Map<?, ?>) attribute(STORAGE_SERVICE, "TokenToEndpointMap")).values();
  }

  /** Whether there is such a bean. */
  public boolean has(String objectName) {
    return call(objectName, () -> server.isRegistered(name(objectName)));
  }

  /** Sets a writable attribute. */
  public void setAttribute(String objectName, String attribute, Object value) {
    call(
        objectName + " " + attribute,
        () -> {
          server.setAttribute(name(objectName), new Attribute(attribute, value));
          return "";
        });
  }

  /**
   * Calls an operation.
   *
   * @param signature class names of the parameters
   * @return the result; an empty string for an operation that returns nothing
   */
  public Object invoke(String objectName, String operation, Object[] args, String[] signature) {
    return call(
        objectName + " " + operation,
        () -> {
          Object result = server.invoke(name(objectName), operation, args, signature);
          return result == null ? "" : result;
        });
  }

  /**
   * A metric of one table: a counter's or meter's count, or a gauge's value.
   *
   * @param metric for example {@code BytesFlushed} or {@code LiveSSTableCount}
   */
  public long tableCounter(String keyspace, String table, String metric) {
    ObjectName bean =
        name(
            "org.apache.cassandra.metrics:type=Table,keyspace="
                + keyspace
                + ",scope="
                + table
                + ",name="
                + metric);
    return call(
        bean.toString(),
        () -> {
          boolean gauge =
              java.util.Arrays.stream(server.getMBeanInfo(bean).getAttributes())
                  .noneMatch(attribute -> attribute.getName().equals("Count"));
          return ((Number) server.getAttribute(bean, gauge ? "Value" : "Count")).longValue();
        });
  }

  /** Sum of a numeric attribute over all beans that a name with wildcards matches; 0 if none. */
  public long sum(String pattern, String attribute) {
    return call(
        pattern + " " + attribute,
        () -> {
          long sum = 0;
          for (ObjectName bean : server.queryNames(name(pattern), null)) {
            sum += ((Number) server.getAttribute(bean, attribute)).longValue();
          }
          return sum;
        });
  }

  /** Names of all beans that a name with wildcards matches. */
  public Set<ObjectName> names(String pattern) {
    return call(pattern, () -> server.queryNames(name(pattern), null));
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the JMX connection", e);
    }
  }

  private static <T> T call(String what, JmxCall<T> call) {
    try {
      return call.run();
    } catch (InstanceNotFoundException e) {
      throw new IllegalArgumentException("the node has no JMX bean for " + what, e);
    } catch (JMException e) {
      throw new IllegalArgumentException("JMX call failed: " + what + ": " + rootMessage(e), e);
    } catch (IOException e) {
      throw new UncheckedIOException("JMX call failed: " + what, e);
    }
  }

  private static String rootMessage(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString();
  }

  private static ObjectName name(String objectName) {
    try {
      return new ObjectName(objectName);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException("not a JMX name: " + objectName, e);
    }
  }

  private interface JmxCall<T> {
    T run() throws JMException, IOException;
  }
}
