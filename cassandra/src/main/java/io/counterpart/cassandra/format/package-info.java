/**
 * What redundant copies are written as: compressor, chunk length and Bloom filter that differ from
 * the table's own. In go the options and Cassandra's builder of an sstable writer, out comes a
 * builder that writes the other format. Every sstable carries its own parameters, so that readers
 * need nothing of this package, and the table's metadata stay as they are.
 *
 * <p>Must not be here: the choice of the sstables that are rewritten.
 */
@NullMarked
package io.counterpart.cassandra.format;

import org.jspecify.annotations.NullMarked;
