package io.counterpart.cassandra.engine.store;

import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.engine.KvEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * Opens a table's stores of the engine that it is on.
 *
 * @param folder where they are
 * @param host id of this node
 */
record OwnStores(StoreFolder folder, KvEngine engine, TableMetadataRef metadata, UUID host) {

  /** Those that there are, or the first one. The last one may take data. */
  List<Generation> open() {
    folder.create();
    List<Generation> found = new ArrayList<>(Generation.openAll(folder, engine, metadata, host));
    if (found.isEmpty()) {
      found.add(first());
    }
    Generation last = found.get(found.size() - 1);
    if (last.isLost()) {
      found.add(successor(last));
    }
    return List.copyOf(found);
  }

  /** One that cannot be opened has nothing: nobody may wait for its server later. */
  private Generation first() {
    long number = folder.files().unopened();
    folder.files().markUnopened(number);
    Generation first = Generation.open(folder, number, engine, metadata, host);
    try {
      folder.files().markOpened(number);
      return first;
    } catch (RuntimeException e) {
      first.store().close();
      throw e;
    }
  }

  /** A new one, which knows what the last one knows about the commit log and truncations. */
  Generation successor(Generation last) {
    Generation next = Generation.open(folder, last.number() + 1, engine, metadata, host);
    try {
      next.store().succeed(last.store().state());
      return next;
    } catch (RuntimeException | Error e) {
      next.store().close();
      throw e;
    }
  }
}
