package io.counterpart.cache.metadata;

/**
 * The options of a metadata log.
 *
 * @param dataChunks k, data chunks of a stripe; 1 to 64, fixed for the life of the log
 * @param segmentBytes length at which a log file ends; 4 KiB to 1 GiB
 */
public record MetadataOptions(int dataChunks, int segmentBytes) {
  private static final int MAX_DATA_CHUNKS = 64;
  private static final int MIN_SEGMENT_BYTES = 4 << 10;
  private static final int MAX_SEGMENT_BYTES = 1 << 30;
  private static final int DEFAULT_SEGMENT_BYTES = 16 << 20;

  public MetadataOptions {
    if (dataChunks < 1 || dataChunks > MAX_DATA_CHUNKS) {
      throw new IllegalArgumentException(
          dataChunks + " data chunks, legal: 1 to " + MAX_DATA_CHUNKS);
    }
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "segments of "
              + segmentBytes
              + " bytes, legal: "
              + MIN_SEGMENT_BYTES
              + " to "
              + MAX_SEGMENT_BYTES);
    }
  }

  /** Files of 16 MiB. */
  public static MetadataOptions of(int dataChunks) {
    return new MetadataOptions(dataChunks, DEFAULT_SEGMENT_BYTES);
  }
}
