/**
 * The journal: entries of writes that parity lacks, on n − k + 1 servers, and which servers those
 * are.
 */
@NullMarked
package io.counterpart.cache.coded.log;

import org.jspecify.annotations.NullMarked;
