package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.log.MissingParity;
import io.counterpart.cache.coded.server.Placement;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;

/** Marks servers that lack parity, beside their restoration. Belongs to the shard's event loop. */
public record ParityMarks(ServerTable servers, Placement placement, Restoration restoration)
    implements MissingParity.Marks {

  @Override
  public void lacking(ServerLink link) {
    servers.noteLacking(link);
  }

  /** Not while it is restored for other items, or leaves. */
  @Override
  public void whole(ServerLink link) {
    if (placement.map().contains(link.id()) && !restoration.isRestoring(link)) {
      servers.noteWhole(link);
    }
  }

  @Override
  public boolean isEmptied(ServerLink link) {
    return restoration.isRestoring(link);
  }
}
