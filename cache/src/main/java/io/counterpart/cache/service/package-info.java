/**
 * A proxy that runs: addresses of servers → connections → the tier of a scheme → a listener for
 * clients, metrics and operators' commands. In: {@link
 * io.counterpart.cache.service.ServiceOptions}. Out: {@link
 * io.counterpart.cache.service.CacheService}. No process is started here, and nothing about keys or
 * objects is decided here.
 */
@NullMarked
package io.counterpart.cache.service;

import org.jspecify.annotations.NullMarked;
