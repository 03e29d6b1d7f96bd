/**
 * What brings a shard back to full redundancy: restoration of lost servers, missing parity, scrub.
 */
@NullMarked
package io.counterpart.cache.coded.repair;

import org.jspecify.annotations.NullMarked;
