package io.counterpart.cassandra.engine.flush;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Throwables;
import org.jspecify.annotations.Nullable;

/** The end of sstables that are written: as in Cassandra's flush, all of them stay or none. */
final class SSTableCommit {

  private SSTableCommit() {}

  /**
   * Has all of them stay, also after a kill; leaves those out that have nothing. If one cannot be
   * finished all are deleted.
   *
   * @param writers have written all; those with nothing are removed
   * @return the sstables, which nobody reads yet
   */
  static List<SSTableReader> of(
      LifecycleTransaction transaction, List<SSTableMultiWriter> writers) {
    try {
      prepare(writers);
    } catch (RuntimeException | Error e) {
      throw Throwables.throwAsUncheckedException(abort(transaction, writers, e));
    }
    transaction.prepareToCommit();
    Throwable failure = null;
    for (SSTableMultiWriter writer : writers) {
      failure = writer.commit(failure);
    }
    Throwables.maybeFail(transaction.commit(failure));
    List<SSTableReader> sstables = new ArrayList<>();
    writers.forEach(writer -> sstables.addAll(writer.finished()));
    return sstables;
  }

  private static void prepare(List<SSTableMultiWriter> writers) {
    for (Iterator<SSTableMultiWriter> each = writers.iterator(); each.hasNext(); ) {
      SSTableMultiWriter writer = each.next();
      if (writer.getBytesWritten() > 0) {
        writer.setOpenResult(true).prepareToCommit();
      } else {
        Throwables.maybeFail(writer.abort(null));
        each.remove();
      }
    }
  }

  /**
   * Deletes all of them.
   *
   * @param cause why
   * @return the same, with what failed in between
   */
  static @Nullable Throwable abort(
      LifecycleTransaction transaction, List<SSTableMultiWriter> writers, Throwable cause) {
    Throwable failure = cause;
    for (SSTableMultiWriter writer : writers) {
      failure = writer.abort(failure);
    }
    return transaction.abort(failure);
  }
}
