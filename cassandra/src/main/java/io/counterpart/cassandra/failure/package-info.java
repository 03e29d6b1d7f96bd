/** Why copies of tables on engines fail, for clients: what nodes tell each other about it. */
@NullMarked
package io.counterpart.cassandra.failure;

import org.jspecify.annotations.NullMarked;
