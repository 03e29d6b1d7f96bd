/**
 * What operators want: JVM options of the node, policies of tables. In: system properties, rows of
 * {@code counterpart_config.consistency}. Out: the policy of a table, or why its own was refused.
 */
@NullMarked
package io.counterpart.cassandra.consistency.policy;

import org.jspecify.annotations.NullMarked;
