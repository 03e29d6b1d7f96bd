/**
 * Options of the memory tier's commands, checked before anything is touched. In: command lines.
 * Out: options of a proxy, of a tier and of its store.
 */
@NullMarked
package io.counterpart.cli.cache.options;

import org.jspecify.annotations.NullMarked;
