/**
 * The scheme of ECHash for clients. In: commands; out: outcomes. Where objects are, and how they
 * are kept, is not known here.
 */
@NullMarked
package io.counterpart.cache.echash;

import org.jspecify.annotations.NullMarked;
