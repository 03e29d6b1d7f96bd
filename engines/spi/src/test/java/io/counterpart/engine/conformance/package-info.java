/**
 * What every engine must pass.
 *
 * <p>In: an engine's provider. Out: verdicts. {@link KvStoreConformance} is for any store, {@link
 * DurableStoreConformance} for one with files. {@link MemoryStore} is the reference that the suite
 * is tested with.
 */
@NullMarked
package io.counterpart.engine.conformance;

import org.jspecify.annotations.NullMarked;
