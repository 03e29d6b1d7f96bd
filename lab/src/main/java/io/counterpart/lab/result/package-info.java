/**
 * Results as values and as JSON: what an experiment writes and a report reads.
 *
 * <p>Must not be here: clusters, clients, printing.
 */
@NullMarked
package io.counterpart.lab.result;

import org.jspecify.annotations.NullMarked;
