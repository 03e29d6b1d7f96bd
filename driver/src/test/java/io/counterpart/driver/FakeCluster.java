package io.counterpart.driver;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.channel.ChannelFactory;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultMetadata;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.MetadataManager;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A driver's context whose metadata are made here instead of read from a cluster: real nodes, and a
 * real token map that the driver computes from their tokens. No connection is opened.
 */
final class FakeCluster implements AutoCloseable {
  static final String NETWORK = "org.apache.cassandra.locator.NetworkTopologyStrategy";

  private final List<Node> nodes = new ArrayList<>();
  private final Map<CqlIdentifier, KeyspaceMetadata> keyspaces = new LinkedHashMap<>();
  private final Context context;
  private boolean tokenMapEnabled = true;

  FakeCluster(DriverConfigLoader config) {
    context = new Context(config);
  }

  /** Options to add to: the driver's threads end without its usual wait for late work. */
  static ProgrammaticDriverConfigLoaderBuilder config() {
    return DriverConfigLoader.programmaticBuilder()
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
  }

  /** The metadata manager is built when the context is asked for it, so later than the fields. */
  private final class Context extends DefaultDriverContext {
    Context(DriverConfigLoader config) {
      super(config, ProgrammaticArguments.builder().build());
    }

    @Override
    protected MetadataManager buildMetadataManager() {
      return new MetadataManager(this) {
        @Override
        public Metadata getMetadata() {
          return metadata();
        }
      };
    }

    @Override
    protected ChannelFactory buildChannelFactory() {
      return new ChannelFactory(this) {
        @Override
        public String getClusterName() {
          return "fake";
        }
      };
    }
  }

  private static final class FakeNode extends DefaultNode {
    private final String datacenter;
    private final Set<String> tokens;

    FakeNode(int number, String datacenter, Set<String> tokens, Context context) {
      super(new DefaultEndPoint(new InetSocketAddress("127.0.0." + number, 9042)), context);
      this.datacenter = datacenter;
      this.tokens = tokens;
    }

    @Override
    public String getDatacenter() {
      return datacenter;
    }

    @Override
    public String getRack() {
      return "rack1";
    }

    @Override
    public Set<String> getRawTokens() {
      return tokens;
    }

    @Override
    public NodeState getState() {
      return NodeState.UP;
    }
  }

  Node add(String datacenter, long token) {
    Node node = new FakeNode(nodes.size() + 1, datacenter, Set.of(Long.toString(token)), context);
    nodes.add(node);
    return node;
  }

  void addKeyspace(String name, Map<String, String> replication) {
    addKeyspace(name, false, replication);
  }

  void addKeyspace(String name, boolean virtual, Map<String, String> replication) {
    CqlIdentifier id = CqlIdentifier.fromInternal(name);
    keyspaces.put(
        id,
        new DefaultKeyspaceMetadata(
            id, true, virtual, replication, Map.of(), Map.of(), Map.of(), Map.of(), Map.of()));
  }

  void disableTokenMap() {
    tokenMapEnabled = false;
  }

  DefaultDriverContext context() {
    return context;
  }

  Map<UUID, Node> nodes() {
    Map<UUID, Node> byId = new LinkedHashMap<>();
    nodes.forEach(node -> byId.put(new UUID(0, byId.size()), node));
    return byId;
  }

  Metadata metadata() {
    return DefaultMetadata.EMPTY
        .withSchema(keyspaces, false, context)
        .withNodes(nodes(), tokenMapEnabled, true, new Murmur3TokenFactory(), context);
  }

  @Override
  public void close() {
    context.getNettyOptions().onClose().awaitUninterruptibly();
  }
}
