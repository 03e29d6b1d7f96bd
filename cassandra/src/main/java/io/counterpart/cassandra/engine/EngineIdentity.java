package io.counterpart.cassandra.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What tells two configurations apart as to where data is: with the same identity they share
 * stores.
 *
 * @param engine name
 * @param location as {@code KvEngine.location}; empty in the engine {@code lsm}
 * @param directory of all stores; null for the tables' own data directories
 */
record EngineIdentity(String engine, String location, @Nullable Path directory) {}
