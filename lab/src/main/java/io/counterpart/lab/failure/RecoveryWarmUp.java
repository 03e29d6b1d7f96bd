package io.counterpart.lab.failure;

import io.counterpart.cluster.Node;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.TableSetup;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import io.counterpart.recovery.StockRecovery;
import java.util.ArrayList;
import java.util.List;

/**
 * Unmeasured recoveries of small tables that warm up the node's new process; otherwise the table
 * recovered first pays for it. One table is stock and one decoupled, because sections and whole
 * files take different paths. Dropped when closed.
 */
public final class RecoveryWarmUp implements AutoCloseable {
  private static final int ROWS = 5_000;

  /** Rebuilds of each table before recoveries whose figures are published. */
  public static final int REBUILDS = 10;

  private final RunningLab running;
  private final List<TableRef> tables = new ArrayList<>();

  /**
   * Creates and fills the tables.
   *
   * @param arms what is recovered afterwards
   * @param name tells these tables from others of the same cluster
   */
  public RecoveryWarmUp(RunningLab running, List<Arm> arms, String name, long seed) {
    this.running = running;
    for (boolean plugin : new boolean[] {false, true}) {
      arms.stream()
          .filter(arm -> arm.needsPlugin() == plugin)
          .findFirst()
          .ifPresent(arm -> create(arm, name, seed));
    }
  }

  private void create(Arm arm, String name, long seed) {
    TableRef table = TableSetup.table(arm, name + "_streamwarmup");
    running.tables().drop(table);
    running.tables().create(table, arm);
    tables.add(table);
    WorkloadSpec few = WorkloadSpec.of(ROWS, 0, seed);
    new PairClient(running.session(), table, few).insert(ROWS, done -> {});
  }

  /**
   * Recovers the tables on a node whose process is new.
   *
   * @param rebuilds of each table
   * @param repairs full repairs of each table, after the rebuilds; 0 where none is measured
   */
  public void run(Node node, int rebuilds, int repairs) throws InterruptedException {
    StockRecovery recovery = new StockRecovery(running.nodes().jmx(node));
    for (TableRef table : tables) {
      for (int i = 0; i < rebuilds; i++) {
        recovery.rebuild(table.keyspace());
      }
      for (int i = 0; i < repairs; i++) {
        recovery.repair(table.keyspace());
      }
    }
  }

  @Override
  public void close() {
    tables.forEach(running.tables()::drop);
  }
}
