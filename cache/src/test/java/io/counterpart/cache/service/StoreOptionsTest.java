package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreOptionsTest {
  @TempDir private Path behind;

  @Test
  void one_shard_has_all() {
    StoreOptions options = options(behind);

    assertThat(options.limits(1)).isEqualTo(StoreLimits.DEFAULT);
    assertThat(options.behind(0, 1)).isEqualTo(WriteBehindSettings.of(behind));
    assertThat(options(null).behind(0, 1)).isNull();
  }

  @Test
  void each_of_several_shards_has_a_part_and_a_directory() {
    StoreOptions options = options(behind);
    WriteBehindSettings all = WriteBehindSettings.of(behind);

    assertThat(options.limits(4).writesAtOnce()).isEqualTo(StoreLimits.DEFAULT.writesAtOnce() / 4);
    WriteBehindSettings part = options.behind(3, 4);
    assertThat(part.directory()).isEqualTo(behind.resolve("shard-3"));
    assertThat(part.maxBytes()).isEqualTo(all.maxBytes() / 4);
    assertThat(options(null).behind(3, 4)).isNull();
  }

  /** Limits are legal for each legal number of shards, or this fails. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16})
  void limits_can_be_divided(int shards) {
    assertThat(options(behind).limits(shards).readsAtOnce()).isPositive();
    assertThat(options(behind).behind(shards - 1, shards)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void changes_of_another_number_of_shards_are_not_forgotten(int shards) throws Exception {
    Path one = Files.createFile(behind.resolve("behind-7.log"));
    if (shards == 1) {
      assertThatCode(() -> options(behind).requireShards(1)).doesNotThrowAnyException();
    } else {
      refused(shards, behind);
    }
    Files.delete(one);
    assertThatCode(() -> options(behind).requireShards(shards)).doesNotThrowAnyException();

    Path third = Files.createDirectory(behind.resolve("shard-2"));
    assertThatCode(() -> options(behind).requireShards(shards)).doesNotThrowAnyException();
    Files.createFile(third.resolve("behind-1.log"));
    if (shards > 2) {
      assertThatCode(() -> options(behind).requireShards(shards)).doesNotThrowAnyException();
    } else {
      refused(shards, third);
    }
  }

  private void refused(int shards, Path directory) {
    assertThatThrownBy(() -> options(behind).requireShards(shards))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory + " has changes")
        .hasMessageContaining("another number of shards than " + shards);
  }

  @Test
  void changes_of_another_table_are_not_written_to_this_one() throws Exception {
    StoreOptions other = ofTable("others");
    options(behind).claimTable();
    Path log = Files.createDirectory(behind.resolve("shard-1")).resolve("behind-1.log");
    Files.createFile(log);

    assertThatCode(() -> options(behind).claimTable()).doesNotThrowAnyException();
    assertThatThrownBy(other::claimTable)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            behind
                + " has changes for the table counterpart_cache.objects, not"
                + " counterpart_cache.others");

    Files.delete(log);
    assertThatCode(other::claimTable).doesNotThrowAnyException();
    assertThat(behind.resolve("table")).hasContent("counterpart_cache.others\n");
    assertThatCode(() -> options(null).claimTable()).doesNotThrowAnyException();
  }

  private StoreOptions ofTable(String table) {
    CassandraOptions usual = options(behind).cassandra();
    return new StoreOptions(
        new CassandraOptions(
            usual.contactPoints(),
            usual.localDatacenter(),
            usual.keyspace(),
            usual.replicationFactor(),
            table,
            usual.readLevel(),
            usual.writeLevel(),
            usual.timeout(),
            usual.login()),
        StoreLimits.DEFAULT,
        behind);
  }

  private static StoreOptions options(Path behind) {
    InetSocketAddress node = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
    return new StoreOptions(CassandraOptions.of(List.of(node)), StoreLimits.DEFAULT, behind);
  }
}
