package io.counterpart.cassandra.vtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.locator.PrimaryFirstSnitch;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.junit.jupiter.api.Test;

class CounterpartKeyspaceTest {
  private static final VirtualKeyspaceRegistry REGISTRY = VirtualKeyspaceRegistry.instance;

  @Test
  void comes_with_the_snitch_once_whatever_else_is_registered() {
    DatabaseDescriptor.clientInitialization();
    System.setProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY, "SimpleSnitch");
    try {
      new PrimaryFirstSnitch().gossiperStarting();
    } finally {
      System.clearProperty(PrimaryFirstSnitch.DELEGATE_PROPERTY);
    }
    VirtualKeyspace registered = REGISTRY.getKeyspaceNullable("counterpart");
    assertThat(registered).isNotNull();
    assertThat(registered.tables()).isNotEmpty();

    REGISTRY.register(new VirtualKeyspace("another", List.of()));
    CounterpartKeyspace.register();

    assertThat(REGISTRY.getKeyspaceNullable("counterpart")).isSameAs(registered);
    assertThat(REGISTRY.getKeyspaceNullable("another")).isNotNull();
  }
}
