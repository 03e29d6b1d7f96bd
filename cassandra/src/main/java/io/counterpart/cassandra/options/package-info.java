/** Table options of the strategy: parsed and validated at DDL and again at construction. */
@NullMarked
package io.counterpart.cassandra.options;

import org.jspecify.annotations.NullMarked;
