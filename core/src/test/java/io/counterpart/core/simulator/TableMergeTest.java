package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableMergeTest {
  private static final Popularity POPULARITY = Popularity.none();
  private static final Population POPULATION = new Population(1_000_000, 1024, POPULARITY);

  @Test
  void keeps_every_inserted_byte_and_cuts_at_the_target() {
    for (int seed = 0; seed < 200; seed++) {
      List<Table> inputs = randomTables(new Random(seed));
      double target = 1024.0 * 500;

      List<Table> outputs = TableMerge.merge(inputs, POPULATION, target);

      assertThat(bytes(outputs)).as("seed %d", seed).isCloseTo(bytes(inputs), within(1.0));
      for (int i = 0; i < outputs.size(); i++) {
        double size = outputs.get(i).bytes(POPULATION);
        assertThat(size).as("seed %d", seed).isLessThanOrEqualTo(target * 1.001);
        if (i > 0) {
          assertThat(outputs.get(i).first())
              .as("seed %d", seed)
              .isGreaterThanOrEqualTo(outputs.get(i - 1).end());
        }
      }
    }
  }

  @Test
  void drops_the_older_version_of_an_updated_key() {
    Popularity popularity = Popularity.zipfian(1_000, 0);
    Population population = new Population(1_000, 1024, popularity);
    Table all = Table.overAllKeys(Density.inserts(1, popularity));
    Table updates = Table.overAllKeys(Density.updates(0.5, popularity));

    List<Table> merged = TableMerge.merge(List.of(all, updates), population, Double.MAX_VALUE);

    assertThat(bytes(merged, population)).isCloseTo(1_000 * 1024, within(1.0));
  }

  private static List<Table> randomTables(Random random) {
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(20); i++) {
      double first = random.nextDouble() * 0.9;
      double end = first + 0.001 + random.nextDouble() * (0.999 - first);
      tables.add(new Table(first, end, Density.inserts(0.01 * random.nextDouble(), POPULARITY)));
    }
    return tables;
  }

  private static double bytes(List<Table> tables) {
    return bytes(tables, POPULATION);
  }

  private static double bytes(List<Table> tables, Population population) {
    return tables.stream().mapToDouble(t -> t.bytes(population)).sum();
  }
}
