/**
 * Which key an operation takes: seeded generators, uniform, Zipfian and latest. In go the number of
 * keys and a seed, out come numbers of keys. Must not be here: the names of keys, and values.
 */
@NullMarked
package io.counterpart.lab.workload.key;

import org.jspecify.annotations.NullMarked;
