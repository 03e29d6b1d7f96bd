/**
 * A cluster as a specification, and the files and tokens of its nodes. In: {@link
 * io.counterpart.cluster.layout.ClusterSpec}. Out: directories, {@code cassandra.yaml}, ports,
 * tokens, and what logs tell of a start. Starts no process.
 */
@NullMarked
package io.counterpart.cluster.layout;

import org.jspecify.annotations.NullMarked;
