package io.counterpart.cassandra.cold;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.concurrent.ExecutorFactory;
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

  private volatile Map<TableId, ColdTable> tables = Map.of();

  /** Guarded by this, as changes of the map are. */
  private boolean running;

  private record ColdTable(TableMetadataRef table, Runnable restored) {}

  private ColdTables() {}

  /** Whether reads of a table must be refused. */
  public boolean has(TableId table) {
    return tables.containsKey(table);
  }

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
    change(next -> next.put(table.id, new ColdTable(table, restored)));
    if (!running) {
      running = true;
      ExecutorFactory.Global.executorFactory().startThread("CounterpartRebuild", this::rebuildAll);
    }
  }

  private synchronized void change(Consumer<Map<TableId, ColdTable>> change) {
    Map<TableId, ColdTable> next = new LinkedHashMap<>(tables);
    change.accept(next);
    tables = Collections.unmodifiableMap(next);
    ColdNode.tell(!next.isEmpty());
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
    tell();
    tables.values().forEach(this::rebuild);
    while (goesOn()) {
      Uninterruptibles.sleepUninterruptibly(BETWEEN_TRIES);
      tables.values().forEach(this::rebuild);
    }
  }

  private synchronized boolean goesOn() {
    running = !tables.isEmpty();
    return running;
  }

  private void rebuild(ColdTable cold) {
    try {
      // else it was dropped
      if (Schema.instance.getTableMetadata(cold.table().id) != null) {
        logger.info("Rebuilding {} from other nodes' copies", cold.table());
        Rebuild.run(cold.table());
        cold.restored().run();
        logger.info("{} is rebuilt: reads of it are answered again", cold.table());
      }
      change(next -> next.remove(cold.table().id, cold));
    } catch (RuntimeException | AssertionError e) {
      logger.warn(
          "Cannot rebuild {}, which stays cold; the next try is soon: {}",
          cold.table(),
          e.getMessage(),
          e);
    }
  }
}
