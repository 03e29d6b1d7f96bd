package io.counterpart.cassandra.cold;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cold tables of this node, which are rebuilt one after another in the background. A rebuild
 * that fails, as when a replica is down, is tried again. Thread-safe.
 */
public final class ColdTables {
  /** Cassandra opens tables itself, so nothing else could hand it on. */
  public static final ColdTables NODE = new ColdTables();

  private static final Logger logger = LoggerFactory.getLogger(ColdTables.class);
  private static final Duration UNTIL_NORMAL = Duration.ofMillis(200);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);

  private final ExecutorPlus thread =
      ExecutorFactory.Global.executorFactory().sequential("CounterpartRebuild");

  // guarded by this
  private final Map<TableId, ColdTable> tables = new LinkedHashMap<>();
  private boolean running;

  private record ColdTable(TableMetadataRef table, Runnable restored) {}

  private ColdTables() {}

  /**
   * A table is cold from now on.
   *
   * @param restored is called when its data is there again
   */
  public synchronized void add(TableMetadataRef table, Runnable restored) {
    logger.warn(
        "{} is cold: its store was in memory alone. Reads of it fail on this node until it is"
            + " rebuilt from other nodes' copies",
        table);
    tables.put(table.id, new ColdTable(table, restored));
    ColdNode.tell(true);
    if (!running) {
      running = true;
      thread.execute(this::rebuildAll);
    }
  }

  /**
   * Tells the other nodes of cold tables. Tables are opened before gossip begins, so a snitch calls
   * this when it does: the first word of a node that comes back says that it is cold.
   */
  public synchronized void tell() {
    if (!tables.isEmpty()) {
      ColdNode.tell(true);
    }
  }

  private void rebuildAll() {
    while (!StorageService.instance.isNormal()) {
      // where no snitch has done so
      tell();
      Uninterruptibles.sleepUninterruptibly(UNTIL_NORMAL);
    }
    cold().forEach(this::rebuild);
    while (goesOn()) {
      Uninterruptibles.sleepUninterruptibly(BETWEEN_TRIES);
      cold().forEach(this::rebuild);
    }
  }

  private synchronized List<ColdTable> cold() {
    return List.copyOf(tables.values());
  }

  private synchronized boolean goesOn() {
    running = !tables.isEmpty();
    return running;
  }

  private void rebuild(ColdTable cold) {
    if (Schema.instance.getTableMetadata(cold.table().id) == null) {
      restored(cold);
      return;
    }
    logger.info("Rebuilding {} from other nodes' copies", cold.table());
    try {
      Rebuild.run(cold.table());
    } catch (RuntimeException e) {
      logger.warn("Cannot rebuild {}, which stays cold; the next try is soon", cold.table(), e);
      return;
    }
    restored(cold);
    logger.info("{} is rebuilt: reads of it are answered again", cold.table());
  }

  private synchronized void restored(ColdTable cold) {
    cold.restored().run();
    tables.remove(cold.table().id, cold);
    ColdNode.tell(!tables.isEmpty());
  }
}
