package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.engine.flush.KeyspaceSpills;
import io.counterpart.cassandra.engine.flush.RepeatedFlushes;
import io.counterpart.cassandra.engine.flush.SpillThreads;
import io.counterpart.cassandra.engine.server.AwayServers;
import io.counterpart.cassandra.engine.server.Openings;
import io.counterpart.cassandra.engine.server.ServerReaders;
import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.cassandra.engine.store.files.StoreRemovals;
import io.counterpart.cassandra.failure.StoreFailures;
import io.counterpart.cassandra.report.EngineReports;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process' factories and open stores. A store is opened once, whatever asks for it, since two
 * environments on one file would destroy it. Thread-safe.
 */
final class EngineTables implements SchemaChangeListener {
  /** Cassandra makes factories and memtables itself, so what they share has nowhere else to be. */
  static final EngineTables SHARED = new EngineTables();

  private static final Logger logger = LoggerFactory.getLogger(EngineTables.class);
  private static final int TICK_SECONDS = 1;

  private final Map<EngineParameters, EngineFactory> factories = new ConcurrentHashMap<>();
  private final OpenTables tables = new OpenTables();
  private final Openings<TableId, Opening> openings = new Openings<>(this);
  private final AwayServers away = new AwayServers(System::nanoTime);
  private final Map<String, KeyspaceSpills> spills = new HashMap<>();
  private final Map<String, ServerAbsence> absences = new HashMap<>();
  private final ServerReaders readers = new ServerReaders();
  private final BackgroundWork probes = new BackgroundWork("CounterpartProbes");
  private final BackgroundWork ticks = new BackgroundWork("CounterpartEngines");
  private final BackgroundWork absorptions = new BackgroundWork("CounterpartAbsorption");
  private final BackgroundWork sweeps = new BackgroundWork("CounterpartSweeps");
  private final BackgroundWork repetitions = new BackgroundWork("CounterpartFlushes");
  private final BackgroundWork removals = new BackgroundWork("CounterpartRemovals");
  private final BackgroundWork sizes = new BackgroundWork("CounterpartSizes");
  private final BackgroundWork telling = new BackgroundWork("CounterpartFailures");
  private final SpillThreads spilling = new SpillThreads();

  private boolean listening;

  private EngineTables() {}

  /** The one factory of a configuration: {@link EngineFactory#of}. */
  EngineFactory factory(EngineParameters parameters) {
    // not under the lock of tables: who asks holds one of Cassandra's, which the opening of a table
    // may wait for
    return factories.computeIfAbsent(parameters, absent -> EngineFactory.of(absent, readers));
  }

  /**
   * Whether a table has stores, of whatever engine, open ones or left ones. Those that are
   * elsewhere are deleted. Waits for who opens the table.
   */
  synchronized boolean hasStores(ColumnFamilyStore table, EngineFactory factory) {
    openings.await(table.metadata.id);
    Set<Path> open = tables.folders(table.metadata.id);
    if (!open.isEmpty()) {
      return true;
    }
    List<LeftStores> left = Opening.left(table, factory, open);
    left.forEach(LeftStores::removeRetired);
    return left.stream().anyMatch(each -> !each.folders().isEmpty());
  }

  /**
   * A memtable's place in its table, which is opened if it is not: under no lock, since flushes of
   * all tables come here, and a server may hang.
   */
  Place enter(ColumnFamilyStore table, EngineFactory factory) {
    return openings.get(
        table.metadata.id,
        () -> known(table, factory),
        () -> opening(table, factory),
        Opening::run,
        opened -> added(opened, factory));
  }

  /**
   * A memtable's place.
   *
   * @param number higher than those of the table's memtables before it
   */
  record Place(EngineTable table, long number) {}

  private @Nullable Place known(ColumnFamilyStore table, EngineFactory factory) {
    listen();
    EngineTable known = tables.on(table.metadata.id, factory.identity());
    return known == null ? null : place(known, factory);
  }

  private static Place place(EngineTable opened, EngineFactory factory) {
    return new Place(opened, opened.enter(factory.parameters()));
  }

  private void listen() {
    if (!listening) {
      listening = true;
      Schema.instance.registerListener(this);
      EngineReports.NODE.publish(this::reports);
      CounterpartKeyspace.register();
      ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
          this::submitTicks, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    }
  }

  private Opening opening(ColumnFamilyStore table, EngineFactory factory) {
    return new Opening(
        table,
        factory,
        StoreRoots.of(table, factory.parameters().directory()),
        tables.folders(table.metadata.id),
        spills.computeIfAbsent(table.getKeyspaceName(), name -> new KeyspaceSpills()),
        absence(factory.engine()),
        away);
  }

  private Place added(EngineTable opened, EngineFactory factory) {
    ColumnFamilyStore table = opened.table();
    if (!table.isValid()) {
      // dropped meanwhile: who told of it found nothing to close
      opened.close(opened.stores().isEmpty());
      throw new StoreException(table.metadata + " was dropped while its stores were opened");
    }
    tables.add(table.metadata.id, factory.identity(), opened);
    logger.info(
        "{} is on engine {} in {}: {}",
        table.metadata,
        factory.parameters().engine(),
        opened.stores().directory(),
        opened.stores().bounds());
    if (DatabaseDescriptor.isIncrementalBackupsEnabled()) {
      logger.warn("incremental_backups has no copy of what {} keeps in stores", table.metadata);
    }
    return place(opened, factory);
  }

  /** Shared by the tables on a server; another engine's tables may have adopted stores of one. */
  private ServerAbsence absence(@Nullable KvEngine engine) {
    return engine != null && engine.isOnServer()
        ? absences.computeIfAbsent(engine.location(), server -> new ServerAbsence(System::nanoTime))
        : new ServerAbsence(System::nanoTime);
  }

  /** A folder whose stores are gone, unless it is in use again. */
  private synchronized void deleteUnused(StoreFolder folder) {
    boolean isOpened =
        openings.running().stream().anyMatch(each -> folder.path().equals(each.folder()));
    if (!isOpened && !tables.folders().contains(folder.path())) {
      folder.deleteIfUnused();
    }
  }

  SpillThreads spilling() {
    return spilling;
  }

  private void submitTicks() {
    probes.submit(this::probe);
    ticks.submit(() -> each(this::tick));
    absorptions.submit(() -> each(table -> table.absorption().run()));
    sweeps.submit(() -> each(table -> table.sweep().turn()));
    removals.submit(() -> StoreRemovals.NODE.run(this::deleteUnused));
    repetitions.submit(() -> each(table -> table.failedFlushes().repeat()));
    sizes.submit(() -> each(table -> table.bytes().tick()));
    telling.submit(StoreFailures.NODE::tell);
  }

  private void probe() {
    away.ask();
    each(table -> table.server().probe());
  }

  private void tick(EngineTable table) {
    table.tick();
    closeIfLeft(table);
  }

  /** One table's failure is not the others'. */
  private void each(Consumer<EngineTable> work) {
    for (EngineTable table : opened()) {
      if (isConstructed(table.table())) {
        try {
          work.accept(table);
        } catch (RuntimeException | Error e) { // of files, too
          JVMStabilityInspector.inspectThrowable(e);
          logger.warn("Background work of {} failed; it is tried again", table.table().metadata, e);
        }
      }
    }
  }

  /** The constructor of a table makes its first memtable, which opens the stores. */
  private static boolean isConstructed(ColumnFamilyStore table) {
    return table.keyspace.hasColumnFamilyStore(table.metadata.id);
  }

  private synchronized List<EngineTable> opened() {
    return tables.all();
  }

  /** Asks stores, which may take long, so not under the lock. */
  private List<EngineReports.Table> reports() {
    List<Map.Entry<String, EngineTable>> now;
    synchronized (this) {
      now = tables.named();
    }
    return now.stream()
        // a table that has left all engines may have a memtable of before
        .filter(entry -> hasStores(entry.getValue()) || isCold(entry.getValue()))
        // of two places with the same name the last one is shown
        .sorted(Comparator.comparing(entry -> !entry.getValue().hasLeft()))
        .map(entry -> TableReport.of(entry.getValue(), entry.getKey()))
        .toList();
  }

  private static boolean hasStores(EngineTable table) {
    return !table.stores().directories().isEmpty();
  }

  private static boolean isCold(EngineTable table) {
    return ColdTables.NODE.has(table.table().metadata.id);
  }

  /** A memtable is gone; with the last one its table has left the engine. */
  synchronized void leave(EngineTable table) {
    table.leave();
    // also the engine of before, if the table is now on none
    tables.of(table.table().metadata.id).forEach(this::closeIfLeft);
  }

  private synchronized void closeIfLeft(EngineTable table) {
    // who opens the table on another engine may not see its folder go: the next tick closes it
    if (openings.isRunning(table.table().metadata.id)
        || !tables.isDone(table)
        || !isDropped(table)
        || !tables.remove(table)) {
      return;
    }
    boolean isEmpty = table.stores().isEmpty();
    if (!isEmpty) {
      logger.error(
          "{} has left its engine, but {} has data: it is kept",
          table.table().metadata,
          table.stores().directory());
    }
    table.close(isEmpty);
  }

  /** Drops what is in sstables. If that fails, compactions see the stores until the next tick. */
  private static boolean isDropped(EngineTable table) {
    try {
      table.frozenStores().dropAll();
      return true;
    } catch (StoreException e) {
      logger.warn("Stores of {} stay, which are in sstables", table.table().metadata, e);
      return false;
    }
  }

  @Override
  public synchronized void onDropTable(TableMetadata dropped, boolean dropData) {
    RepeatedFlushes.forget(dropped.id);
    for (EngineTable table : tables.of(dropped.id)) {
      tables.remove(table);
      table.close(dropData);
    }
  }
}
