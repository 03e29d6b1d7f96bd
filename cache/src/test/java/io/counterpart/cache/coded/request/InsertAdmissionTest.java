package io.counterpart.cache.coded.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InsertAdmissionTest {
  @ParameterizedTest
  @CsvSource({
    // while evictions end, a write waits for two seconds
    "1999, 0, true",
    "1999, 50, true",
    "2000, 3, false",
    "2000, 50, false",
    // where they do not, the process, a server or the disk stands still
    "2200, 0, true",
    "2200, 2, true",
    "9999, 2, true",
    "10000, 2, false",
    "10000, 0, false",
  })
  void a_write_waits_until_evictions_had_their_chance(
      long waitedMillis, long reliefs, boolean patient) {
    long waitedNanos = TimeUnit.MILLISECONDS.toNanos(waitedMillis);

    assertThat(InsertAdmission.isPatient(waitedNanos, reliefs)).isEqualTo(patient);
  }
}
