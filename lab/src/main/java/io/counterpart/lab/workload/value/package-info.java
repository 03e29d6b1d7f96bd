/**
 * The content of values: bytes that follow from a seed, of kinds that compress differently. In goes
 * the state of a stream, out come a value's bytes. Must not be here: keys, versions and checks.
 */
@NullMarked
package io.counterpart.lab.workload.value;

import org.jspecify.annotations.NullMarked;
