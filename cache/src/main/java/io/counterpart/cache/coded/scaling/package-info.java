/**
 * Changes of the servers: objects and parity move to where the new rings say, in the manner of
 * either scheme.
 */
@NullMarked
package io.counterpart.cache.coded.scaling;

import org.jspecify.annotations.NullMarked;
