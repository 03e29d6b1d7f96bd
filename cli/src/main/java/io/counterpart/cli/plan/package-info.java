/**
 * Plans of ring changes; it makes none. In: a running cluster, surveyed through {@code lab.remote}.
 * Out: the costs that {@code core.ring.change} computes, as a table or JSON.
 */
@NullMarked
package io.counterpart.cli.plan;

import org.jspecify.annotations.NullMarked;
