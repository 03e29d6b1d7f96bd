package io.counterpart.cache.metadata;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The result of opening a log.
 *
 * @param segments files that were read
 * @param records records that were applied
 * @param tornFile the last file, if its end was cut off: records of a last moment that no sync had
 *     covered
 * @param tornBytes bytes that were cut off, 0 if none
 */
public record ReplayedLog(int segments, long records, Optional<Path> tornFile, long tornBytes) {}
