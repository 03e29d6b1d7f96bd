package io.counterpart.cache.coded;

/** A shard and what works on its stripes; for what does so in its turn. */
record Parts(Shard shard, Folding folding, ObjectReads reads, CodedStatistics statistics) {}
