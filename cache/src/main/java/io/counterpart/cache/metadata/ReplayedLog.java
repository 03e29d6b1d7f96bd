package io.counterpart.cache.metadata;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The result of opening a log.
 *
 * @param records records applied
 * @param tornFile the last file if its end was cut off, with records that no sync had covered
 * @param tornBytes bytes cut off, 0 if none
 */
public record ReplayedLog(long records, Optional<Path> tornFile, long tornBytes) {}
