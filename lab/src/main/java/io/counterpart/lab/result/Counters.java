package io.counterpart.lab.result;

/** Names of counters; all are sums over a block, or states at its end. */
public final class Counters {
  /**
   * Bytes that a block's throughput is of: moved objects of scaling, what a server held of its
   * repair, data of coding.
   */
  public static final String BYTES = "bytes";

  /** All bytes that went between the proxy and the servers, as these count them. */
  public static final String TRAFFIC_BYTES = "trafficBytes";

  /** Reads, writes and deletions that memcached servers have executed. */
  public static final String SERVER_COMMANDS = "serverCommands";

  /** Items that memcached servers have dropped for lack of memory; absent if there are none. */
  public static final String EVICTIONS = "evictions";

  /** Bytes of users' values. */
  public static final String OBJECT_BYTES = "objectBytes";

  /** Memory of all servers in bytes, as their settings have it. */
  public static final String MEMORY_BYTES = "memoryBytes";

  /** Bytes of the indexes in the proxy's memory. */
  public static final String INDEX_BYTES = "indexBytes";

  /** Bytes of mapped index files, which the kernel may write out. */
  public static final String MAPPED_BYTES = "mappedBytes";

  /** Objects that were decoded for reads. */
  public static final String DEGRADED_READS = "degradedReads";

  /** Processor time of this process, proxy and client together, in microseconds. */
  public static final String PROCESS_CPU_MICROS = "processCpuMicros";

  /** Bytes that users wrote, times the replication factor. */
  public static final String REPLICATED_BYTES = "replicatedBytes";

  /** Memtable memory on and off heap, of all tables: mean of samples a second apart. */
  public static final String MEMTABLE_BYTES = "memtableBytes";

  /** Live bytes of a table on disk. */
  public static final String DISK_BYTES = "diskBytes";

  /** Live sstables of a table. */
  public static final String SSTABLES = "sstables";

  /** Files of a table's live sstables. */
  public static final String FILES = "files";

  /** Memtables of a table that were flushed. */
  public static final String FLUSHES = "flushes";

  /** Memory of a table's Bloom filters, on all nodes. */
  public static final String FILTER_BYTES = "filterBytes";

  /** Reads of a table that nodes answered from their own copy, digests included. */
  public static final String LOCAL_READS = "localReads";

  /** Time of these reads on their nodes, in microseconds. */
  public static final String LOCAL_READ_MICROS = "localReadMicros";

  /** Operations a second that a block was begun at, whatever was still without an answer. */
  public static final String OFFERED_PER_SECOND = "offeredPerSecond";

  /** Switches of endpoints in {@code counterpart.replicas}, at all coordinators together. */
  public static final String SWITCHES = "switches";

  /** Seconds in which these were looked for, summed over endpoints of all coordinators. */
  public static final String SWITCH_SECONDS = "switchSeconds";

  /** Before a reason: reads whose level has it, in {@code counterpart.consistency}. */
  public static final String READS_BY_REASON = "reads.";

  /** Copies of rows that lacked what another had, in the last check. */
  public static final String DISAGREEING_READS = "disagreeingReads";

  private Counters() {}
}
