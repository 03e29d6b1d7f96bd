/**
 * Plans of changes that are not made here. In: a running cluster, looked at through {@code
 * lab.remote}. Out: what {@code core.ring.change} reckons, as a table or JSON.
 */
@NullMarked
package io.counterpart.cli.plan;

import org.jspecify.annotations.NullMarked;
