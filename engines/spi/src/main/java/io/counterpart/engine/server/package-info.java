/**
 * Stores on a server: snapshots, long keys and identity for engines whose server has none.
 *
 * <p>In: the calls of {@link io.counterpart.engine.KvStore}. Out: short calls of a {@link
 * io.counterpart.engine.server.ServerTable}, none of which holds a connection afterwards. Not here:
 * any protocol.
 */
@NullMarked
package io.counterpart.engine.server;

import org.jspecify.annotations.NullMarked;
