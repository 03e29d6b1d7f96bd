/** Table options of the strategy: parsed and checked once, at DDL and again at construction. */
@NullMarked
package io.counterpart.cassandra.options;

import org.jspecify.annotations.NullMarked;
