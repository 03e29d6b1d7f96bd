package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.staleness.decide.ReadShape;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real statements and options of clients. */
class ClientReadTest {
  private static final String BY_NAME = "SELECT * FROM read WHERE k = :key AND c = :clustering";

  @BeforeAll
  static void prepare() {
    OfflineStatements.start();
    OfflineStatements.table("read", "k int, c int, d int, v int, PRIMARY KEY (k, c, d)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          k = 1                           | ONE_PARTITION
          k = 1 AND c > 2                 | ONE_PARTITION
          k = 1 AND c = 2 ALLOW FILTERING | ONE_PARTITION
          k = 1 AND v = 2 ALLOW FILTERING | FILTERED
          k = 1 AND d = 2 ALLOW FILTERING | FILTERED
          k IN (1, 2)                     | SEVERAL_PARTITIONS
          v = 2 ALLOW FILTERING           | SEVERAL_PARTITIONS
          """)
  void a_condition_tells_what_is_read(String where, ReadShape shape) throws Exception {
    ClientRead read = read("SELECT * FROM read WHERE " + where, QueryOptions.DEFAULT);
    useNoIndex(read.select());

    assertThat(read.shape()).isEqualTo(shape);
  }

  @Test
  void an_index_counts_as_one() {
    ClientRead read =
        read("SELECT * FROM read WHERE k = 1 AND v = 2 ALLOW FILTERING", QueryOptions.DEFAULT);

    assertThat(read.shape()).isEqualTo(ReadShape.INDEX);
  }

  /** Away from a node Cassandra takes every column for an indexed one. */
  private static void useNoIndex(SelectStatement select) throws ReflectiveOperationException {
    Field index = StatementRestrictions.class.getDeclaredField("usesSecondaryIndexing");
    index.setAccessible(true);
    index.setBoolean(select.getRestrictions(), false);
  }

  @Test
  void a_key_that_cassandra_refuses_is_no_failure_of_the_plugin() {
    String cql = "SELECT * FROM read WHERE k = ?";

    assertThat(read(cql, positional(bytes(7))).keyIfLegal()).hasValue(bytes(7));
    assertThat(read(cql, positional((ByteBuffer) null)).keyIfLegal()).isEmpty();
    assertThat(read(cql, positional()).keyIfLegal()).isEmpty();
  }

  private static QueryOptions positional(@Nullable ByteBuffer... values) {
    return QueryOptions.forInternalCalls(ConsistencyLevel.ONE, Arrays.asList(values));
  }

  /** The client's thread may still use its values while the copy runs elsewhere. */
  @Test
  void a_copy_shares_no_values_with_names_and_keeps_their_order() {
    ClientRead read = read(BY_NAME, named("clustering", 2, "key", 1));
    assertThat(read.keyIfLegal()).hasValue(bytes(1));
    List<ByteBuffer> values = read.options().getValues();

    ClientRead copy = read.copyAt(ConsistencyLevel.ALL);
    copy.options().prepare(copy.select().getBindVariables());

    assertThat(copy.options().getConsistency()).isEqualTo(ConsistencyLevel.ALL);
    assertThat(copy.options().getValues()).containsExactly(bytes(1), bytes(2));
    assertThat(copy.key()).isEqualTo(bytes(1));
    assertThat(read.options().getValues()).as("not filled anew").isSameAs(values);
  }

  @Test
  void other_levels_keep_the_columns_that_a_handler_of_the_chain_may_want() {
    List<ColumnSpecification> columns =
        ((SelectStatement) OfflineStatements.prepared(BY_NAME)).getBindVariables();
    QueryOptions options =
        QueryOptions.addColumnSpecifications(named("clustering", 2, "key", 1), columns);
    ClientRead read = read(BY_NAME, options);
    assertThat(read.keyIfLegal()).hasValue(bytes(1));

    assertThat(ReadOptions.at(options, ConsistencyLevel.TWO).getColumnSpecifications())
        .isEqualTo(columns);
    assertThat(read.copyAt(ConsistencyLevel.ALL).options().getColumnSpecifications())
        .isEqualTo(columns);
  }

  private static ClientRead read(String cql, QueryOptions options) {
    return new ClientRead(
        (SelectStatement) OfflineStatements.prepared(cql),
        new QueryState(ClientState.forInternalCalls()),
        options,
        null);
  }

  /** As the protocol has them; only Cassandra's decoder makes options with names. */
  private static QueryOptions named(String one, int oneValue, String other, int otherValue) {
    ByteBuf body = Unpooled.buffer();
    body.writeShort(ConsistencyLevel.QUORUM.code);
    // the flags of values and of their names
    body.writeInt(0x41);
    body.writeShort(2);
    write(body, one, oneValue);
    write(body, other, otherValue);
    return QueryOptions.codec.decode(body, ProtocolVersion.V5);
  }

  private static void write(ByteBuf body, String name, int value) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    body.writeShort(text.length);
    body.writeBytes(text);
    body.writeInt(Integer.BYTES);
    body.writeInt(value);
  }

  private static ByteBuffer bytes(int value) {
    return ByteBufferUtil.bytes(value);
  }
}
