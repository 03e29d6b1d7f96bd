/**
 * Operators' commands to a running proxy, over a unix-domain socket: show the tier's state, change
 * its servers. In: {@link io.counterpart.cache.control.Controlled}, the running proxy. Out: {@link
 * io.counterpart.cache.control.ControlServer} on the proxy's side, {@link
 * io.counterpart.cache.control.ControlClient} on the command line's. No decisions here.
 *
 * <p>A request is a line: {@code status}, {@code add HOST:PORT …}, {@code remove HOST:PORT …}. The
 * answer to {@code status} is lines of a name and values, and {@code end}. A change is answered by
 * {@code refused}, {@code busy} or {@code failed} with a reason, or else by {@code progress} lines
 * until {@code done}. Before any of them, {@code shard N} asks for one shard of a tier that has
 * several.
 */
@NullMarked
package io.counterpart.cache.control;

import org.jspecify.annotations.NullMarked;
