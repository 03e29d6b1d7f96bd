package io.counterpart.cache.coded;

/** A shard with the parts that work on its stripes, bundled for their users. */
record ShardServices(Shard shard, Folding folding, ObjectReads reads, CodedStatistics statistics) {}
