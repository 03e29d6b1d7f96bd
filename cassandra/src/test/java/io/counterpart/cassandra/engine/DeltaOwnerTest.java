package io.counterpart.cassandra.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardBoundaries;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.concurrent.ImmediateFuture;
import org.junit.jupiter.api.Test;

class DeltaOwnerTest {
  private final Table table = new Table();

  /** A timer has the owner for all of the table's flush period. */
  @Test
  void a_memtable_that_is_flushed_is_not_held() {
    List<WeakReference<Memtable>> flushed = new ArrayList<>();
    DeltaOwner owner = ownerOf(flushed);

    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(flushed.get(0).refersTo(null)).isTrue();
            });
    Memtable delta = memtable();
    owner.signalFlushRequired(delta, FlushReason.MEMTABLE_LIMIT);
    assertThat(table.asked == delta).isTrue();
  }

  private DeltaOwner ownerOf(List<WeakReference<Memtable>> made) {
    Memtable around = memtable();
    made.add(new WeakReference<>(around));
    return new DeltaOwner(table, around);
  }

  @Test
  void a_flush_is_asked_for_the_memtable_that_the_table_knows() {
    Memtable around = memtable();
    DeltaOwner owner = new DeltaOwner(table, around);

    owner.signalFlushRequired(memtable(), FlushReason.MEMTABLE_LIMIT);

    assertThat(table.asked == around).isTrue();
    Reference.reachabilityFence(around);
  }

  /** Nobody asks it for anything. */
  private static Memtable memtable() {
    return (Memtable)
        Proxy.newProxyInstance(
            Memtable.class.getClassLoader(),
            new Class<?>[] {Memtable.class},
            (self, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private static final class Table implements Memtable.Owner {
    private Memtable asked = memtable();

    @Override
    public Future<CommitLogPosition> signalFlushRequired(Memtable memtable, FlushReason reason) {
      asked = memtable;
      return ImmediateFuture.success(CommitLogPosition.NONE);
    }

    @Override
    public Memtable getCurrentMemtable() {
      return asked;
    }

    @Override
    public Iterable<Memtable> getIndexMemtables() {
      return List.of();
    }

    @Override
    public ShardBoundaries localRangeSplits(int shardCount) {
      return ShardBoundaries.NONE;
    }
  }
}
