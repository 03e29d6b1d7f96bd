package io.counterpart.cache.ring;

/**
 * The effect of a change of servers on one key.
 *
 * @param from server that has the key before the change
 * @param to server that has it after it; another one
 */
public record Move(ServerId from, ServerId to) {}
