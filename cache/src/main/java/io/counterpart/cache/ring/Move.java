package io.counterpart.cache.ring;

/**
 * The effect of a change of servers on one key.
 *
 * @param from the key's server before the change
 * @param to the key's server after the change; differs from {@code from}
 */
public record Move(ServerId from, ServerId to) {}
