package io.counterpart.cassandra.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.ExceptionCode;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.exceptions.WriteFailureException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ExplainedFailureTest {
  private static final List<String> TABLES = List.of("ks.t", "ks.u");

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void a_write_keeps_its_fields_and_says_why() throws Exception {
    WriteFailureException failure =
        write(WriteType.BATCH, Map.of(node(1), RequestFailureReason.UNKNOWN));

    RequestFailureException explained =
        ExplainedFailure.of(failure, TABLES, (node, table) -> Optional.of(table + " is away"));

    assertThat(explained)
        .hasMessage(
            failure.getMessage()
                + "; ks.t on 10.0.0.1: ks.t is away; ks.u on 10.0.0.1: ks.u is away")
        .hasCause(failure);
    assertThat(explained.code()).isEqualTo(ExceptionCode.WRITE_FAILURE);
    assertThat(explained)
        .usingRecursiveComparison()
        .comparingOnlyFields(
            "consistency", "received", "blockFor", "failureReasonByEndpoint", "writeType")
        .isEqualTo(failure);
  }

  @Test
  void a_read_keeps_its_fields_and_says_why() throws Exception {
    ReadFailureException failure =
        new ReadFailureException(
            ConsistencyLevel.QUORUM, 1, 2, true, Map.of(node(2), RequestFailureReason.UNKNOWN));

    RequestFailureException explained =
        ExplainedFailure.of(
            failure,
            TABLES,
            (node, table) -> table.equals("ks.u") ? Optional.of("away") : Optional.empty());

    assertThat(explained)
        .isInstanceOf(ReadFailureException.class)
        .hasMessage(failure.getMessage() + "; ks.u on 10.0.0.2: away");
    assertThat(((ReadFailureException) explained).dataPresent).isTrue();
  }

  @Test
  void other_failures_stay_as_they_are() throws Exception {
    List<RequestFailureException> others =
        List.of(
            write(WriteType.SIMPLE, Map.of(node(1), RequestFailureReason.TIMEOUT)),
            write(WriteType.BATCH_LOG, Map.of(node(1), RequestFailureReason.UNKNOWN)),
            new RequestFailureException(
                ExceptionCode.READ_FAILURE,
                "of another kind",
                ConsistencyLevel.ONE,
                0,
                1,
                Map.of(node(1), RequestFailureReason.UNKNOWN)));

    assertThat(others)
        .allSatisfy(
            failure ->
                assertThat(
                        ExplainedFailure.of(failure, TABLES, (node, table) -> Optional.of("away")))
                    .isSameAs(failure));
    WriteFailureException unknown =
        write(WriteType.SIMPLE, Map.of(node(1), RequestFailureReason.UNKNOWN));
    assertThat(ExplainedFailure.of(unknown, TABLES, (node, table) -> Optional.empty()))
        .isSameAs(unknown);
  }

  @Test
  void the_message_is_bounded() throws Exception {
    WriteFailureException failure =
        write(WriteType.SIMPLE, Map.of(node(1), RequestFailureReason.UNKNOWN));

    assertThat(
            ExplainedFailure.of(failure, TABLES, (node, table) -> Optional.of("x".repeat(99_999)))
                .getMessage())
        .hasSizeLessThan(5_000);
  }

  private static WriteFailureException write(
      WriteType type, Map<InetAddressAndPort, RequestFailureReason> reasons) {
    return new WriteFailureException(ConsistencyLevel.QUORUM, 1, 2, type, reasons);
  }

  private static InetAddressAndPort node(int number) throws UnknownHostException {
    return InetAddressAndPort.getByName("10.0.0." + number);
  }
}
