/**
 * A running proxy: server addresses → connections → a scheme's tier → listener, metrics and control
 * socket. In: {@link io.counterpart.cache.service.ServiceOptions}. Out: {@link
 * io.counterpart.cache.service.CacheService}. Starts no process and decides nothing about keys or
 * objects.
 */
@NullMarked
package io.counterpart.cache.service;

import org.jspecify.annotations.NullMarked;
