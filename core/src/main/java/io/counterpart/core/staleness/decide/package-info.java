/**
 * The consistency level of a read: policy, request and evidence in, level with its reason out. Pure
 * decisions; times are passed in. Must not be here: sampling, Cassandra's classes, I/O.
 */
@NullMarked
package io.counterpart.core.staleness.decide;

import org.jspecify.annotations.NullMarked;
