/**
 * The database behind a memory tier, for baselines that go there for what memory does not have.
 *
 * <p>In: a tier's objects. Out: a real Cassandra node that has them all, and its answers. Not here:
 * when a read goes there.
 */
@NullMarked
package io.counterpart.lab.tier.database;

import org.jspecify.annotations.NullMarked;
