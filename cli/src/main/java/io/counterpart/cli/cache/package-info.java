/**
 * Commands on the memory tier: start, show, change and stop it, and the proxy itself. In: options.
 * Out: calls to {@code cache} and {@code memcached.tier}, and results for {@code console}. Handles
 * no process and no client connection itself.
 */
@NullMarked
package io.counterpart.cli.cache;

import org.jspecify.annotations.NullMarked;
