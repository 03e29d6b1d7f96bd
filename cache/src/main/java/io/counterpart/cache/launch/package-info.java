/**
 * What other processes need of a proxy: the command line of its JVM, and a client that asks it. No
 * decisions here.
 */
@NullMarked
package io.counterpart.cache.launch;

import org.jspecify.annotations.NullMarked;
