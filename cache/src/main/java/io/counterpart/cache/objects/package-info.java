/**
 * Objects under an erasure code, for clients: commands in, outcomes out. {@code cache.coded} places
 * objects and keeps them redundant.
 */
@NullMarked
package io.counterpart.cache.objects;

import org.jspecify.annotations.NullMarked;
