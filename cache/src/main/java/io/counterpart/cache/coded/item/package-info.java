/**
 * The tier's items on servers: keys of its own, lengths, and the memory that they take by slab
 * class. In: sizes and statistics; out: whether there is room. No I/O.
 */
@NullMarked
package io.counterpart.cache.coded.item;

import org.jspecify.annotations.NullMarked;
