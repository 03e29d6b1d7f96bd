package io.counterpart.cassandra.placement.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacedAddressTest {
  @TempDir private Path directory;

  @Test
  void a_node_does_not_start_with_another_address_than_its_rows_are_placed_by() {
    PlacedAddress placed = new PlacedAddress(directory.resolve("counterpart-address"));
    placed.require("k", "10.0.0.1:7000", () -> true);
    placed.require("k", "10.0.0.1:7000", () -> false);

    assertThatThrownBy(() -> placed.require("k", "10.0.0.9:7000", () -> false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "placed by its address 10.0.0.1:7000, and it starts with 10.0.0.9:7000");

    placed.require("k", "10.0.0.9:7000", () -> true);
    placed.require("k", "10.0.0.9:7000", () -> false);
  }

  @Test
  void a_node_starts_though_its_address_cannot_be_kept() {
    new PlacedAddress(directory.resolve("missing/counterpart-address"))
        .require("k", "10.0.0.1:7000", () -> false);

    assertThat(directory).isEmptyDirectory();
  }
}
