package io.counterpart.cli.cql;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.UdtValue;
import io.counterpart.cli.console.TextTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The result of one statement.
 *
 * @param truncated whether there were more rows than the limit
 */
record RowView(List<String> columns, List<Map<String, @Nullable Object>> rows, boolean truncated) {

  static RowView of(ResultSet result, int limit) {
    List<String> columns =
        StreamSupport.stream(result.getColumnDefinitions().spliterator(), false)
            .map(column -> column.getName().asInternal())
            .toList();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Row row : result) {
      if (rows.size() == limit) {
        return new RowView(columns, rows, true);
      }
      rows.add(values(row));
    }
    return new RowView(columns, rows, false);
  }

  /** The table, or an empty text for a statement without a result. */
  String text() {
    if (columns.isEmpty()) {
      return "";
    }
    TextTable table = new TextTable(columns);
    rows.forEach(
        row -> table.row(columns.stream().map(name -> String.valueOf(row.get(name))).toList()));
    String count = rows.size() + (rows.size() == 1 ? " row" : " rows");
    return table.render()
        + System.lineSeparator()
        + "("
        + count
        + (truncated ? ", and more: raise --limit" : "")
        + ")";
  }

  private static Map<String, @Nullable Object> values(Row row) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (ColumnDefinition column : row.getColumnDefinitions()) {
      values.put(column.getName().asInternal(), plain(row.getObject(column.getName())));
    }
    return values;
  }

  // what a JSON writer and a reader of a table both understand
  private static @Nullable Object plain(@Nullable Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof ByteBuffer bytes) {
      return com.datastax.oss.protocol.internal.util.Bytes.toHexString(bytes);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> plain = new LinkedHashMap<>();
      map.forEach((key, element) -> plain.put(String.valueOf(plain(key)), plain(element)));
      return plain;
    }
    if (value instanceof Iterable<?> elements) {
      List<@Nullable Object> plain = new ArrayList<>();
      elements.forEach(element -> plain.add(plain(element)));
      return plain;
    }
    return value instanceof UdtValue udt ? udt.getFormattedContents() : value.toString();
  }
}
