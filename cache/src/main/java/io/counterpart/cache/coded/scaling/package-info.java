/** Changes of the servers: objects and parity move to where the new rings say. */
@NullMarked
package io.counterpart.cache.coded.scaling;

import org.jspecify.annotations.NullMarked;
