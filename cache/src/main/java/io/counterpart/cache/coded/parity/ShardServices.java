package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.shard.Shard;

/** A shard with the parts that work on its stripes, bundled for their users. */
public record ShardServices(
    Shard shard, Folding folding, ObjectReads reads, CodedStatistics statistics) {}
