package io.counterpart.cassandra.engine.store.files;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.schema.TableMetadataRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one store is.
 *
 * @param folder of the engine's stores of the table
 * @param number the generation
 * @param place the same for the engine
 */
public record StoreLocation(StoreFolder folder, long number, KvEngine engine, StorePlace place) {
  private static final Logger logger = LoggerFactory.getLogger(StoreLocation.class);

  public static StoreLocation of(
      StoreFolder folder, long number, KvEngine engine, TableMetadataRef table) {
    StorePlace place = new StorePlace(folder.files().directory(number), table.keyspace, table.name);
    return new StoreLocation(folder, number, engine, place);
  }

  /**
   * Deletes a store that is closed, and retired unless it is in a file of this node. On a server in
   * the background: nobody waits for it, and readers that began before go on.
   *
   * @param isReleased whether nobody reads it any more
   */
  public void remove(BooleanSupplier isReleased) {
    if (engine.isOnServer()) {
      StoreRemovals.NODE.add(this, isReleased);
      return;
    }
    try {
      delete();
    } catch (StoreException e) {
      logger.warn("Cannot delete the store {}", place.directory(), e);
    }
  }

  /** Whether its data is elsewhere, and something of it is left. */
  boolean isRetired() {
    return folder.files().retired().contains(number);
  }

  /**
   * @throws StoreException if something is left
   */
  void delete() {
    engine.drop(place);
    folder.files().forget(number);
  }
}
