package io.counterpart.cache.coded;

/**
 * The present version of an object.
 *
 * @param place where it is in the code
 * @param bytes the record's bytes
 * @param sequence of the write that made it
 */
record Version(Place place, byte[] bytes, long sequence) {}
