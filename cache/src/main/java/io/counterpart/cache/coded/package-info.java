/**
 * One shard's objects on memcached servers under an (n, k) code: where they are, how they are
 * written so that no crash and no n − k lost servers take an acknowledged value, how they are
 * decoded. In: keys and changes of records; out: records. What clients' commands mean must not be
 * here.
 */
@NullMarked
package io.counterpart.cache.coded;

import org.jspecify.annotations.NullMarked;
