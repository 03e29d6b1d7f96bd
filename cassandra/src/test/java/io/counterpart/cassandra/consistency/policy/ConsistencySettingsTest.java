package io.counterpart.cassandra.consistency.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import java.time.Duration;
import java.util.Properties;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsistencySettingsTest {

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void without_properties_tables_are_raised_at_one_percent() {
    ConsistencySettings settings = ConsistencySettings.from(new Properties());

    assertThat(settings.defaults()).isEqualTo(ConsistencyPolicy.DEFAULT);
    assertThat(settings.budget()).isEqualTo(ErrorBudget.HOURLY);
    assertThat(settings.startAbsence()).as("Cassandra's max_hint_window").hasHours(3);
    assertThat(settings.delegates()).isFalse();
  }

  @Test
  void takes_what_the_node_says() {
    Properties properties = new Properties();
    properties.setProperty("counterpart.consistency.mode", "off");
    properties.setProperty("counterpart.consistency.epsilon", "0.05");
    properties.setProperty("counterpart.consistency.look_seconds", "2");
    properties.setProperty("counterpart.consistency.start_absence_seconds", "4");
    properties.setProperty("counterpart.consistency.delegate", "org.example.Handler");
    properties.setProperty("counterpart.snitch.delegate", "SimpleSnitch");

    ConsistencySettings settings = ConsistencySettings.from(properties);

    assertThat(settings.defaults().mode()).isEqualTo(AdjustmentMode.OFF);
    assertThat(settings.defaults().epsilon()).isEqualTo(0.05);
    assertThat(settings.budget().look()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.startAbsence()).isEqualTo(Duration.ofSeconds(4));
    assertThat(settings.delegates()).isTrue();
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mode         | lower | mode is 'lower', legal: off, raise
          mode         | best  | mode is 'best', legal: off, raise, lower
          epsilon      | 1.5   | epsilon is 1.5, legal: above 0 and below 1
          look_seconds | 31    | look_seconds is '31', legal: 1 to 30
          look_seconds | x     | look_seconds is 'x', legal: 1 to 30
          start_absence_seconds | 0 | start_absence_seconds is '0', legal: 1 to 604800
          epsilonn     | 0.1   | epsilonn is unknown, legal: one of
          """)
  void refuses_a_bad_property_with_the_legal_range(String name, String value, String message) {
    Properties properties = new Properties();
    properties.setProperty("counterpart.consistency." + name, value);

    assertThatThrownBy(() -> ConsistencySettings.from(properties))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("counterpart.consistency.")
        .hasMessageContaining(message);
  }
}
