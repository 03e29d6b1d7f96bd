package io.counterpart.cassandra.compaction;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.CompactionParams;
import org.apache.cassandra.schema.CompressionParams;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * A decoupled table of a node that does not run: a real store with real sstables in temporary
 * directories, on a ring of this node and three others at RF 3. Its tasks can be made and looked
 * at, not run to their end.
 */
final class OfflineTable implements AutoCloseable {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final int NODES = 4;
  private static final int TOKENS_EACH = 4;
  private static final long ARC = Long.MAX_VALUE / (NODES * TOKENS_EACH) * 2;

  final ColumnFamilyStore cfs;
  private final Path home;
  private final List<SSTableReader> open = new ArrayList<>();
  private final List<PlannedTask> begun = new ArrayList<>();
  private DecoupledCompactionStrategy strategy;
  private long written;

  /**
   * Rows that a flush writes.
   *
   * @param ttlSeconds 0 for rows that stay
   * @param stayingEvery rows of which one stays whatever the time to live; 0 for none
   * @param agoSeconds since they were written
   * @param where tokens of the partitions
   */
  record Rows(
      int count,
      int valueBytes,
      int ttlSeconds,
      int stayingEvery,
      long agoSeconds,
      Predicate<Token> where) {
    static Rows of(int count, int valueBytes) {
      return new Rows(count, valueBytes, 0, 0, 0, token -> true);
    }

    Rows expired() {
      return new Rows(count, valueBytes, 10, 0, 3600, where);
    }

    Rows mostlyExpired() {
      return new Rows(count, valueBytes, 10, 4, 3600, where);
    }

    Rows writtenAgo(long seconds) {
      return new Rows(count, valueBytes, ttlSeconds, stayingEvery, seconds, where);
    }

    Rows where(Predicate<Token> token) {
      return new Rows(count, valueBytes, ttlSeconds, stayingEvery, agoSeconds, token);
    }

    private boolean expires(int row) {
      return ttlSeconds > 0 && (stayingEvery == 0 || row % stayingEvery != 0);
    }
  }

  private OfflineTable(ColumnFamilyStore cfs, Path home) {
    cfs.disableAutoCompaction();
    this.cfs = cfs;
    this.home = home;
    this.strategy =
        (DecoupledCompactionStrategy)
            cfs.getCompactionStrategyManager().getStrategies().get(1).get(0);
  }

  static OfflineTable create(Map<String, String> options) throws IOException {
    return create(options, 1);
  }

  /**
   * @param options of the strategy
   * @param directories number of data directories; the first one's instance is the strategy
   */
  static OfflineTable create(Map<String, String> options, int directories) throws IOException {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    Config config = DatabaseDescriptor.getRawConfig();
    config.num_tokens = TOKENS_EACH;
    config.concurrent_compactors = 1;
    config.concurrent_validations = 1;
    config.concurrent_materialized_view_builders = 1;
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
    useRing(false);
    Path home = Files.createTempDirectory("offline-table");
    TableMetadata metadata =
        TableMetadata.builder(
                "offline", "t" + TABLES.incrementAndGet(), TableId.fromUUID(UUID.randomUUID()))
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", LongType.instance)
            .addRegularColumn("v", BytesType.instance)
            .compression(CompressionParams.noCompression())
            .gcGraceSeconds(1)
            .compaction(CompactionParams.create(DecoupledCompactionStrategy.class, options))
            .build();
    Keyspace keyspace =
        Keyspace.mockKS(KeyspaceMetadata.create("offline", KeyspaceParams.simple(3)));
    List<Directories.DataDirectory> data = new ArrayList<>();
    for (int i = 0; i < directories; i++) {
      data.add(new Directories.DataDirectory(new File(home.resolve("data" + i))));
    }
    return new OfflineTable(
        ColumnFamilyStore.createColumnFamilyStore(
            keyspace,
            metadata.name,
            TableMetadataRef.forOfflineTools(metadata),
            new Directories(metadata, data),
            false,
            false,
            false),
        home);
  }

  /**
   * Makes the ring: arc i is led by node i % 4, and this node is node 0.
   *
   * @param finer with four more tokens within arc 1, of which this node has no copy else: the
   *     groups behind it have numbers that are higher by four
   */
  static void useRing(boolean finer) {
    TokenMetadata ring = StorageService.instance.getTokenMetadata();
    ring.clearUnsafe();
    for (int node = 0; node < NODES; node++) {
      List<Token> tokens = new ArrayList<>();
      for (int i = 0; i < TOKENS_EACH; i++) {
        tokens.add(end(i * NODES + node));
      }
      if (finer && node % 2 == 0) {
        tokens.add(new LongToken(end(0).getLongValue() + (node == 2 ? 1000 : 2000)));
        tokens.add(new LongToken(end(0).getLongValue() + (node == 2 ? 3000 : 4000)));
      }
      ring.updateNormalTokens(tokens, node(node));
    }
  }

  /** Node 1 gets a token within an arc of node 2: of its first half this node has no copy then. */
  static void giveAwayHalfOfArc(int arc) {
    TokenMetadata ring = StorageService.instance.getTokenMetadata();
    List<Token> tokens = new ArrayList<>(ring.getTokens(node(1)));
    tokens.add(new LongToken(end(arc).getLongValue() - ARC / 2));
    ring.updateNormalTokens(tokens, node(1));
  }

  private static LongToken end(int arc) {
    return new LongToken(Long.MIN_VALUE + (arc + 1) * ARC);
  }

  private static InetAddressAndPort node(int number) {
    try {
      return number == 0
          ? FBUtilities.getBroadcastAddressAndPort()
          : InetAddressAndPort.getByName("127.0.0." + (100 + number));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** This node's place among the replicas of a token: 0 to 2; -1 where it has no copy. */
  static int replicaIndex(Token token) {
    long distance = ((LongToken) token).getLongValue() - Long.MIN_VALUE - 1;
    int leader = (int) (Long.divideUnsigned(distance, ARC) % NODES);
    return leader == 1 ? -1 : (NODES - leader) % NODES;
  }

  /** Whether a token lies in an arc, from 1 on. */
  static Predicate<Token> isInArc(int arc) {
    return token -> token.compareTo(end(arc - 1)) > 0 && token.compareTo(end(arc)) <= 0;
  }

  DecoupledCompactionStrategy strategy() {
    return strategy;
  }

  /** As after a restart or an ALTER: a new instance gets the sstables, and has planned nothing. */
  void restart(Map<String, String> options) {
    strategy.shutdown();
    strategy = new DecoupledCompactionStrategy(cfs, options);
    cfs.getLiveSSTables().forEach(strategy::addSSTable);
    strategy.startup();
  }

  /** Writes a flush, adds its sstables to the table, and has them placed. */
  List<SSTableReader> flush(Rows rows) {
    List<SSTableReader> sstables = write(rows);
    cfs.addSSTables(sstables);
    // an instance after a restart is not the one that the store knows
    sstables.forEach(strategy::addSSTable);
    strategy.report();
    return sstables;
  }

  /** Writes a flush that the table does not have yet. */
  List<SSTableReader> write(Rows rows) {
    return write(rows, token -> false);
  }

  /**
   * As {@link #write(Rows)}.
   *
   * @param emptied tokens of partitions of which nothing is left, since their column was dropped
   */
  List<SSTableReader> write(Rows rows, Predicate<Token> emptied) {
    Descriptor descriptor =
        cfs.newSSTableDescriptor(
            cfs.getDirectories().getLocationForDisk(cfs.getDiskBoundaries().directories.get(0)));
    SerializationHeader header =
        new SerializationHeader(
            true, cfs.metadata(), cfs.metadata().regularAndStaticColumns(), EncodingStats.NO_STATS);
    try (LifecycleTransaction txn = LifecycleTransaction.offline(OperationType.FLUSH)) {
      SSTableMultiWriter writer =
          strategy.createSSTableMultiWriter(
              descriptor,
              rows.count(),
              0,
              null,
              false,
              IntervalSet.empty(),
              0,
              header,
              List.of(),
              txn);
      for (PartitionUpdate partition : partitions(rows)) {
        boolean isEmptied = emptied.test(partition.partitionKey().getToken());
        writer.append(
            isEmptied
                ? EmptyIterators.unfilteredRow(cfs.metadata(), partition.partitionKey(), false)
                : partition.unfilteredIterator());
      }
      writer.setOpenResult(true).prepareToCommit();
      txn.prepareToCommit();
      Throwable failure = txn.commit(writer.commit(null));
      if (failure != null) {
        throw new IllegalStateException(failure);
      }
      List<SSTableReader> sstables = new ArrayList<>(writer.finished());
      open.addAll(sstables);
      return sstables;
    }
  }

  /** In token order; of tokens that this node has copies of. */
  private List<PartitionUpdate> partitions(Rows rows) {
    long writtenSeconds = System.currentTimeMillis() / 1000 - rows.agoSeconds();
    ByteBuffer value = ByteBuffer.wrap(new byte[rows.valueBytes()]);
    List<PartitionUpdate> partitions = new ArrayList<>();
    while (partitions.size() < rows.count()) {
      PartitionUpdate.SimpleBuilder builder =
          PartitionUpdate.simpleBuilder(cfs.metadata(), written++)
              .timestamp(writtenSeconds * 1_000_000)
              .nowInSec(writtenSeconds);
      Row.SimpleBuilder row = builder.row();
      if (rows.expires(partitions.size())) {
        row.ttl(rows.ttlSeconds());
      }
      row.add("v", value);
      PartitionUpdate partition = builder.build();
      Token token = partition.partitionKey().getToken();
      if (replicaIndex(token) >= 0 && rows.where().test(token)) {
        partitions.add(partition);
      }
    }
    partitions.sort(Comparator.comparing(PartitionUpdate::partitionKey));
    return partitions;
  }

  /** The next task of the strategy; ended with the table. */
  @Nullable AbstractCompactionTask next(long gcBefore) {
    AbstractCompactionTask task = strategy.getNextBackgroundTask(gcBefore);
    if (task instanceof PlannedTask planned) {
      begun.add(planned);
    }
    return task;
  }

  /** Sstables that tasks have taken. */
  Set<SSTableReader> taken() {
    return Set.copyOf(cfs.getTracker().getCompacting());
  }

  @Override
  public void close() throws IOException {
    strategy.shutdown();
    new DroppedTables().onDropTable(cfs.metadata(), true);
    useRing(false);
    begun.forEach(task -> task.transaction().close());
    open.forEach(sstable -> sstable.selfRef().release());
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
