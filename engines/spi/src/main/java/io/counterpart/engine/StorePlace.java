package io.counterpart.engine;

import java.nio.file.Path;

/**
 * Where a store is.
 *
 * @param directory its own on this machine; also an engine that keeps its data elsewhere remembers
 *     there which store is this one's
 * @param keyspace name of the keyspace, for engines that name what they keep elsewhere
 * @param table name of the table, likewise
 */
public record StorePlace(Path directory, String keyspace, String table) {}
