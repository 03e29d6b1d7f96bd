/**
 * Engines' servers that are away or slow: who notices, who asks again, who is told, what is known
 * of their stores meanwhile, and how many readers may wait.
 *
 * <p>In: failures of stores. Out: whether flushes go round the server. Not here: how long one call
 * waits, which is the engine's.
 */
@NullMarked
package io.counterpart.cassandra.engine.server;

import org.jspecify.annotations.NullMarked;
