/**
 * The memory tier within a Java program: the same core as the proxy's, without the hop to it. In:
 * keys and values; out: futures. Nothing of a wire format.
 */
@NullMarked
package io.counterpart.cache.client;

import org.jspecify.annotations.NullMarked;
