package io.counterpart.cassandra.writer;

import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.WrappedLifecycleTransaction;

/**
 * One transaction shared by several rewriters: each may add its sstables, none may finish it. The
 * owner finishes it once, after all of them.
 */
final class SharedTransaction extends WrappedLifecycleTransaction {

  SharedTransaction(LifecycleTransaction owned) {
    super(owned);
  }

  @Override
  public void checkpoint() {}

  @Override
  public void obsoleteOriginals() {}

  @Override
  public void prepareToCommit() {}

  @Override
  public Throwable commit(Throwable accumulate) {
    return accumulate;
  }

  @Override
  public Throwable abort(Throwable accumulate) {
    return accumulate;
  }

  @Override
  public void close() {}
}
