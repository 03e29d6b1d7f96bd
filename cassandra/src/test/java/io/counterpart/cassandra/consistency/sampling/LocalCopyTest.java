package io.counterpart.cassandra.consistency.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.direct.DirectMemtable;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalCopyTest {

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
  }

  /** The store may be on a server that does not answer, and a request waits meanwhile. */
  @Test
  void a_memtable_before_a_store_is_asked_for_what_is_in_memory_alone() {
    Memtable delta = memtable(Memtable.class, method -> null);
    DirectMemtable engine =
        memtable(
            DirectMemtable.class,
            method -> {
              if (!method.equals("inMemory")) {
                throw new AssertionError(method + " asks the store");
              }
              return delta;
            });
    TableMetadata table =
        TableMetadata.builder("ks", "t")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", Int32Type.instance)
            .addRegularColumn("v", UTF8Type.instance)
            .build();
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table, 1).timestamp(1);
    update.row().add("v", "x");

    assertThat(LocalCopy.has(List.of(engine), update.build())).isFalse();
  }

  /** A memtable whose methods return what a function of their names does. */
  private static <T> T memtable(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.apply(method.getName())));
  }
}
