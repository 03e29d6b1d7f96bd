package io.counterpart.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartClassifierTest {
  private static final String WORKER = "ReadStage-3";
  private static final List<String> PREAD =
      List.of(
          "sun.nio.ch.FileDispatcherImpl.pread0",
          "sun.nio.ch.FileChannelImpl.read",
          "org.apache.cassandra.io.util.ChannelProxy.read",
          "org.apache.cassandra.io.util.CompressedChunkReader$Standard.readChunk",
          "org.apache.cassandra.io.util.RandomAccessReader.reBufferAt",
          "org.apache.cassandra.io.util.RandomAccessReader.seek",
          "org.apache.cassandra.io.util.FileHandle.createReader",
          "org.apache.cassandra.io.sstable.format.SSTableReader.getFileDataInput");

  @Test
  void a_buffer_belongs_to_what_it_is_filled_for() {
    assertThat(
            part(
                WORKER,
                PREAD,
                "org.apache.cassandra.io.sstable.AbstractSSTableIterator.<init>",
                "org.apache.cassandra.io.sstable.format.big.SSTableIterator.<init>",
                "org.apache.cassandra.io.sstable.format.big.BigTableReader.rowIterator",
                "org.apache.cassandra.db.SinglePartitionReadCommand.queryMemtableAndDisk"))
        .contains(Part.DATA);
    assertThat(
            part(
                WORKER,
                PREAD.subList(0, PREAD.size() - 1),
                "org.apache.cassandra.io.sstable.format.big.BigTableReader.getRowIndexEntry",
                "org.apache.cassandra.io.sstable.format.big.BigTableReader.rowIterator"))
        .contains(Part.INDEX);
    assertThat(
            part(
                WORKER,
                List.of("net.jpountz.lz4.LZ4JNI.LZ4_decompress_fast"),
                "org.apache.cassandra.io.compress.LZ4Compressor.uncompress",
                "org.apache.cassandra.io.util.CompressedChunkReader$Standard.readChunk",
                "org.apache.cassandra.io.sstable.SSTableSimpleIterator$CurrentFormatIterator"
                    + ".computeNext",
                "org.apache.cassandra.utils.MergeIterator$Candidate.advance"))
        .contains(Part.DATA);
  }

  @Test
  void decoding_a_row_belongs_to_who_asked_for_it() {
    List<String> decoding =
        List.of("org.apache.cassandra.db.rows.UnfilteredSerializer.deserialize");

    assertThat(part(WORKER, decoding, "org.apache.cassandra.db.UnfilteredDeserializer.readNext"))
        .contains(Part.DATA);
    assertThat(
            part(
                WORKER,
                decoding,
                "org.apache.cassandra.db.partitions.PartitionUpdate$PartitionUpdateSerializer"
                    + ".deserialize",
                "org.apache.cassandra.net.Message$Serializer.deserialize"))
        .contains(Part.MESSAGES);
    assertThat(
            part(
                WORKER,
                List.of("org.apache.cassandra.db.Mutation$MutationSerializer.serialize"),
                "org.apache.cassandra.db.commitlog.CommitLog.add",
                "org.apache.cassandra.db.Keyspace.applyInternal"))
        .contains(Part.COMMIT_LOG);
  }

  @Test
  void a_row_of_a_store_is_data_and_its_memtable_is_not() {
    String read = "org.apache.cassandra.db.SinglePartitionReadCommand.queryMemtableAndDisk";
    String memtable = "io.counterpart.cassandra.engine.EngineMemtable.rowIterator";
    List<String> found =
        List.of(
            "jnr.ffi.Native.invoke",
            "org.lmdbjava.Cursor.get",
            "io.counterpart.engine.lmdb.LmdbSnapshot.get",
            "io.counterpart.cassandra.engine.store.TableStore.rows");

    assertThat(part(WORKER, found, memtable, read)).contains(Part.DATA);
    assertThat(
            part(
                WORKER,
                List.of("org.apache.cassandra.db.rows.UnfilteredSerializer.deserialize"),
                "io.counterpart.cassandra.engine.store.EntryCodec.header",
                memtable))
        .contains(Part.DATA);
    assertThat(
            part(
                WORKER,
                List.of("org.apache.cassandra.db.memtable.TrieMemtable.rowIterator"),
                memtable,
                read))
        .contains(Part.MEMTABLE);
    assertThat(part("MemtableFlushWriter:1", found)).contains(Part.FLUSH);
    assertThat(part("CompactionExecutor:2", found)).contains(Part.COMPACTION);
  }

  @Test
  void reads_check_memtables_filters_caches_and_merge() {
    assertThat(part(WORKER, List.of("org.apache.cassandra.db.tries.InMemoryTrie.getChild")))
        .contains(Part.MEMTABLE);
    assertThat(
            part(
                WORKER,
                List.of("org.apache.cassandra.utils.obs.OffHeapBitSet.get"),
                "org.apache.cassandra.utils.BloomFilter.isPresent",
                "org.apache.cassandra.io.sstable.format.SSTableReaderWithFilter.mayContain"))
        .contains(Part.INDEX);
    assertThat(
            part(
                WORKER,
                List.of("com.github.benmanes.caffeine.cache.BoundedLocalCache.get"),
                "org.apache.cassandra.cache.CaffeineCache.get",
                "org.apache.cassandra.io.sstable.keycache.KeyCache.get",
                "org.apache.cassandra.io.sstable.format.big.BigTableReader.getRowIndexEntry"))
        .contains(Part.CACHE);
    assertThat(part(WORKER, List.of("org.apache.cassandra.db.rows.Row$Merger.merge")))
        .contains(Part.ROW_MERGE);
    assertThat(
            part(
                "MutationStage-2",
                List.of("org.apache.cassandra.db.transform.UnfilteredRows.add"),
                "org.apache.cassandra.db.SinglePartitionReadCommand.queryStorage",
                "org.apache.cassandra.net.InboundSink.accept"))
        .contains(Part.ROW_MERGE);
  }

  @Test
  void threads_of_their_own_are_told_by_name() {
    List<String> anything =
        List.of("org.apache.cassandra.io.compress.LZ4Compressor.compress", "java.lang.Thread.run");

    assertThat(part("MemtableFlushWriter:1", anything)).contains(Part.FLUSH);
    assertThat(part("PerDiskMemtableFlushWriter_0:1", anything)).contains(Part.FLUSH);
    assertThat(part("PERIODIC-COMMIT-LOG-SYNCER", anything)).contains(Part.COMMIT_LOG);
    assertThat(part("COMMIT-LOG-ALLOCATOR", anything)).contains(Part.COMMIT_LOG);
    assertThat(part("CompactionExecutor:2", anything)).contains(Part.COMPACTION);
  }

  @Test
  void a_rewrite_by_role_is_not_a_compaction_of_a_tree() {
    assertThat(
            part(
                "CompactionExecutor:2",
                PREAD,
                "org.apache.cassandra.db.compaction.CompactionTask.runMayThrow",
                "io.counterpart.cassandra.compaction.AlignTask.runMayThrow"))
        .contains(Part.ALIGN);
  }

  @Test
  void threads_that_wait_for_work_do_nothing() {
    assertThat(part("epollEventLoopGroup-5-1", List.of("io.netty.channel.epoll.Native.epollWait")))
        .isEmpty();
    assertThat(part("RMI TCP Accept-7199", List.of("sun.nio.ch.Net.accept"))).isEmpty();
    assertThat(part("RMI TCP Connection(2)-127.0.0.1", List.of("sun.nio.ch.Net.poll"))).isEmpty();
  }

  @Test
  void housekeeping_is_not_the_requests() {
    assertThat(
            part(
                "NonPeriodicTasks:1",
                List.of("sun.nio.fs.UnixNativeDispatcher.unlink0"),
                "org.apache.cassandra.io.sstable.format.big.BigFormat.delete",
                "org.apache.cassandra.db.lifecycle.LogTransaction$SSTableTidier.run"))
        .contains(Part.COMPACTION);
    assertThat(
            part(
                "RMI TCP Connection(2)-127.0.0.1",
                List.of("org.apache.cassandra.db.lifecycle.View.getCurrentMemtable")))
        .contains(Part.OTHER);
    assertThat(part("GossipStage:1", List.of("org.apache.cassandra.net.InboundSink.accept")))
        .contains(Part.OTHER);
  }

  @Test
  void what_is_left_is_messages_or_other() {
    assertThat(part("epollEventLoopGroup-5-1", List.of("io.netty.channel.unix.Socket.write")))
        .contains(Part.MESSAGES);
    assertThat(part(WORKER, List.of("org.apache.cassandra.concurrent.SEPWorker.doWaitSpin")))
        .contains(Part.OTHER);
    assertThat(part("", List.of())).contains(Part.OTHER);
  }

  private static Optional<Part> part(String thread, List<String> inner, String... outer) {
    return PartClassifier.classify(
        thread, Stream.concat(inner.stream(), Stream.of(outer)).toList());
  }
}
