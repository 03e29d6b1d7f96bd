package io.counterpart.baselines;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.BatchedRepair;
import io.counterpart.cache.coded.repair.ObjectRepair;
import io.counterpart.cache.coded.scaling.Migration;
import java.util.function.Function;

/** The schemes that the lab compares ECHash with. */
public final class Baselines {
  /** A chunk belongs to a server. Paper: ECHash §2.2, §5.1 (ccMemcached). */
  public static final CodedScheme CCMEMCACHED =
      new CodedScheme(
          new OneRing(),
          fresh(services -> new CcmemcachedMigration(services, RecordMove.COPY)),
          CcmemcachedReads::new,
          BatchedRepair::new);

  /** The same, with objects deleted before they are written. */
  public static final CodedScheme CCMEMCACHED_PAPER =
      new CodedScheme(
          new OneRing(),
          fresh(services -> new CcmemcachedMigration(services, RecordMove.DELETE_FIRST)),
          services -> new PaperReads(services, new CcmemcachedReads(services)),
          BatchedRepair::new);

  /** The same, whose clients get missing objects from a database. */
  public static final CodedScheme CCMEMCACHED_DATABASE =
      new CodedScheme(
          new OneRing(),
          fresh(services -> new CcmemcachedMigration(services, RecordMove.DELETE_FIRST)),
          services -> new MissingReads(services, new CcmemcachedReads(services)),
          BatchedRepair::new);

  /** ECHash with objects deleted before they are written. Paper: ECHash §2.4 (example 2), §4.3. */
  public static final CodedScheme ECHASH_PAPER =
      new CodedScheme(
          CodedScheme.ECHASH.maps(),
          fresh(EchashPaperMigration::new),
          services -> new PaperReads(services, services.reads()),
          BatchedRepair::new);

  /** ECHash with repair of whole chunks. Paper: ECHash §4.5 (chunk-repair). */
  public static final CodedScheme ECHASH_CHUNK = repairing(PartwiseRepair::chunks);

  /** ECHash with a reading of whole chunks for each object: repair that knows objects alone. */
  public static final CodedScheme ECHASH_CHUNK_EACH = repairing(PartwiseRepair::chunkOfEach);

  /** ECHash with repair object by object, each with its own reading of parity. */
  public static final CodedScheme ECHASH_FRAGMENT = repairing(PartwiseRepair::fragments);

  private Baselines() {}

  private static CodedScheme repairing(ObjectRepair.Maker repairs) {
    CodedScheme echash = CodedScheme.ECHASH;
    return new CodedScheme(echash.maps(), echash.migrations(), echash.reads(), repairs);
  }

  private static CodedScheme.Migrations fresh(Function<ShardServices, Migration.Step> migration) {
    return (services, resumed) -> {
      if (resumed) {
        throw new IllegalStateException("a change of servers from before the start, legal: none");
      }
      return migration.apply(services);
    };
  }
}
