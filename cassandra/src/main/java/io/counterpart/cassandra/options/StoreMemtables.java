package io.counterpart.cassandra.options;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memtable configuration whose tables may keep their data in stores, as this node's engine has
 * it.
 */
public interface StoreMemtables {

  /** Logs, once an hour, that a table shall have its primary copies in a store and has none. */
  static void warnWhereMissing(ColumnFamilyStore table, DecoupledOptions options) {
    if (options.storesPrimaries()
        && !(table.metadata().params.memtable.factory() instanceof StoreMemtables)) {
      Logger logger = LoggerFactory.getLogger(StoreMemtables.class);
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          table.metadata().toString(),
          1,
          TimeUnit.HOURS,
          "{}: primary is 'engine', but memtable '{}' is of no engine: primary copies are in a"
              + " tree of UCS. ALTER TABLE … WITH memtable = an engine's configuration",
          table.metadata(),
          table.metadata().params.memtable.configurationKey());
    }
  }
}
