package io.counterpart.cassandra.placement.address;

import io.counterpart.engine.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address that this node's rows are placed by, in a file beside its data. PoR-S orders nodes by
 * their addresses, but Cassandra lets a node start with another one and its old tokens, and streams
 * nothing then: its neighbours would be asked for rows that nobody sent to them.
 *
 * @param file may not exist yet
 */
public record PlacedAddress(Path file) {
  private static final Logger logger = LoggerFactory.getLogger(PlacedAddress.class);
  private static final String FILE = "counterpart-address";

  /**
   * Of this process, where it is a node and no tool. Without copies in its datacenter no row is
   * placed by its address.
   *
   * @param copies of the keyspace by datacenter
   * @throws ConfigurationException at a start with another address than before
   */
  public static void require(String keyspace, ToIntFunction<String> copies) {
    if (DatabaseDescriptor.isDaemonInitialized()
        && copies.applyAsInt(DatabaseDescriptor.getLocalDataCenter()) > 0) {
      Path data = Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]);
      new PlacedAddress(data.resolve(FILE))
          .require(
              keyspace,
              FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort(),
              () -> StorageService.instance.isInitialized() || hasYetToJoin());
    }
  }

  /** Whether nobody asks it for rows yet: the file may be left from a node that was here before. */
  private static boolean hasYetToJoin() {
    return switch (SystemKeyspace.getBootstrapState()) {
      case NEEDS_BOOTSTRAP, IN_PROGRESS -> true;
      case COMPLETED, DECOMMISSIONED -> false;
    };
  }

  /**
   * @param isFree whether it may have another address: a node that runs, since what is placed from
   *     now on is placed by its address of now; asked only where it has
   * @throws ConfigurationException at a start with another address than before
   */
  void require(String keyspace, String address, BooleanSupplier isFree) {
    String known = known(isFree);
    if (known.equals(address)) {
      return;
    }
    if (!known.isEmpty() && !isFree.getAsBoolean()) {
      throw new ConfigurationException(
          ("keyspace %s is under PorStrategy: this node's rows are placed by its address %s, and it"
                  + " starts with %s; legal: the address of before (%s has it)")
              .formatted(keyspace, known, address, file));
    }
    try {
      write(address);
    } catch (IOException e) {
      // no reason to refuse a start: nothing was known, or it need not be known any more
      logger.warn("Cannot write {}: another address at the next start would go unnoticed", file, e);
    }
  }

  /** Replaces the file at once: half of it would be unknown, and allow any address. */
  private void write(String address) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(
        next,
        address,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.sync(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  private String known(BooleanSupplier isFree) {
    try {
      return Files.exists(file) ? Files.readString(file).trim() : "";
    } catch (IOException e) {
      if (!isFree.getAsBoolean()) {
        throw new ConfigurationException("cannot read " + file + ": " + e.getMessage(), e);
      }
      logger.warn("Cannot read {}", file, e);
      return "";
    }
  }
}
