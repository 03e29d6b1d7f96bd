package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.file.Path;

/** A process that opens a log, reports it, and waits to be killed. */
final class LockHolder {
  private LockHolder() {}

  public static void main(String[] arguments) throws IOException {
    MetadataLog log = MetadataLog.open(Path.of(arguments[0]), MetadataOptions.of(3));
    int stripe = log.openStripe(0, 7, 0);
    log.assign(stripe, 1, 2, new byte[] {42});
    log.sync();
    System.out.println("open");
    System.out.flush();
    System.in.read();
  }
}
