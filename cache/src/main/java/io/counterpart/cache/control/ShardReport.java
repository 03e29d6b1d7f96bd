package io.counterpart.cache.control;

/**
 * One of several shards of a tier, as the asked proxy sees it.
 *
 * @param number from 0
 * @param role of the proxy in it, as {@code stats} of a tier of one shard tells it
 * @param unknown why the report has nothing of it, such as an owner on another machine; empty if it
 *     has
 */
public record ShardReport(int number, String role, String unknown) {}
