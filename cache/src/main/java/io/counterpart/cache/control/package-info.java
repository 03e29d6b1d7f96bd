/**
 * What operators ask of a proxy that runs, through a unix-domain socket: how its tier is doing, and
 * to change its servers. In: {@link io.counterpart.cache.control.Controlled}, which the running
 * proxy is. Out: {@link io.counterpart.cache.control.ControlServer} on the proxy's side, {@link
 * io.counterpart.cache.control.ControlClient} on the commands'. Nothing is decided here.
 *
 * <p>Requests are lines: {@code status}, {@code add HOST:PORT …}, {@code remove HOST:PORT …}. The
 * answer to {@code status} is lines of a name and values, ended by {@code end}. A change is
 * answered by {@code refused}, {@code busy} or {@code failed} with a reason, or else by lines
 * {@code progress} until {@code done}.
 */
@NullMarked
package io.counterpart.cache.control;

import org.jspecify.annotations.NullMarked;
