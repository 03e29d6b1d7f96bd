/**
 * The memory tier inside a Java program: the proxy's core without the network hop. In: keys and
 * values; out: futures. No wire format.
 */
@NullMarked
package io.counterpart.cache.client;

import org.jspecify.annotations.NullMarked;
