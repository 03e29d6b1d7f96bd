/**
 * {@code counterpart tokens}: tokens for the nodes of a cluster that somebody else sets up. In go
 * addresses and racks, out come settings and the balance that they give. No node is contacted.
 */
@NullMarked
package io.counterpart.cli.tokens;

import org.jspecify.annotations.NullMarked;
