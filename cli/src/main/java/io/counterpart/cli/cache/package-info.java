/**
 * Commands about the memory tier: start, show, change and stop it, and the proxy itself. In:
 * options. Out: calls to {@code cache} and {@code cluster.tier} and results for {@code console}. No
 * process and no connection of a client is handled here.
 */
@NullMarked
package io.counterpart.cli.cache;

import org.jspecify.annotations.NullMarked;
