package io.counterpart.engine.sql;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The stored procedures of a database. Each takes the quoted name of a table, so they are made once
 * for all stores of a keyspace, and those of another version of this class live beside them.
 *
 * <p>MariaDB takes values into a prepared statement from user variables alone, where MySQL is to
 * understand it too. A procedure that has many rows costs one call and one statement: on one
 * machine a row takes a quarter of what it takes in a call of its own.
 */
final class Procedures {
  /** Rows of {@link #GET_MANY} and {@link #PUT_MANY}. */
  static final int MANY = 64;

  static final String GET = "counterpart_get_v1";
  static final String GET_MANY = "counterpart_get_many_v1";
  static final String PUT = "counterpart_put_v1";
  static final String PUT_MANY = "counterpart_put_many_v1";
  static final String DELETE = "counterpart_delete_v1";
  static final String PAGE = "counterpart_page_v1";
  static final String PAGE_REVERSED = "counterpart_page_reversed_v1";
  static final String CLEAR = "counterpart_clear_v1";

  private static final String TABLE = "t VARCHAR(512) CHARACTER SET utf8mb4";
  private static final String KEY = "VARBINARY(" + SqlTable.KEY_COLUMN_BYTES + ")";

  private Procedures() {}

  /** Statements that create all in a database, those that exist left as they are. */
  static List<String> creations(SqlNames names) {
    return List.of(
        creation(names, GET, "key0 " + KEY, get(1)),
        creation(names, GET_MANY, many("key# " + KEY), get(MANY)),
        creation(names, PUT, "key0 " + KEY + ", value0 LONGBLOB", put(1)),
        creation(names, PUT_MANY, many("key# " + KEY + ", value# LONGBLOB"), put(MANY)),
        creation(names, DELETE, "key0 " + KEY, delete()),
        creation(names, PAGE, pageParameters(), page("")),
        creation(names, PAGE_REVERSED, pageParameters(), page(" DESC")),
        creation(names, CLEAR, "after_key " + KEY + ", most INT", clear()));
  }

  private static String creation(SqlNames names, String name, String parameters, String body) {
    return "CREATE PROCEDURE IF NOT EXISTS %s(%s, %s) SQL SECURITY INVOKER BEGIN %s END"
        .formatted(names.inDatabase(name), TABLE, parameters, body);
  }

  /** A call with as many parameters after the table. */
  static String call(SqlNames names, String name, int parameters) {
    return "CALL %s(?%s)".formatted(names.inDatabase(name), ", ?".repeat(parameters));
  }

  private static String many(String each) {
    return repeated(MANY, each);
  }

  /** Copies of a text with 0, 1, … for each {@code #}. */
  private static String repeated(int count, String each) {
    return IntStream.range(0, count)
        .mapToObj(i -> each.replace("#", Integer.toString(i)))
        .collect(Collectors.joining(", "));
  }

  private static String get(int rows) {
    String text =
        rows == 1
            ? "'SELECT v FROM ', t, ' WHERE k = ?'"
            : "'SELECT k, v FROM ', t, ' WHERE k IN (" + repeated(rows, "?") + ")'";
    return "SET " + repeated(rows, "@cp_k# = key#") + "; " + run(text, repeated(rows, "@cp_k#"));
  }

  private static String put(int rows) {
    String text =
        "'INSERT INTO ', t, ' (k, v) VALUES "
            + repeated(rows, "(?, ?)")
            + " ON DUPLICATE KEY UPDATE v = VALUES(v)'";
    return "SET %s; %s SET %s;"
        .formatted(
            repeated(rows, "@cp_k# = key#, @cp_v# = value#"),
            run(text, repeated(rows, "@cp_k#, @cp_v#")),
            // values may be large, and connections live long
            repeated(rows, "@cp_v# = NULL"));
  }

  private static String delete() {
    return "SET @cp_k0 = key0; " + run("'DELETE FROM ', t, ' WHERE k = ?'", "@cp_k0");
  }

  private static String pageParameters() {
    return "low %1$s, high %1$s, most INT, most_bytes BIGINT".formatted(KEY);
  }

  /** Halves the number of rows until they are small enough together: one may be any size. */
  private static String page(String direction) {
    String bounds = "@cp_low, @cp_high, @cp_most";
    return """
        SET @cp_low = low, @cp_high = high, @cp_most = most;
        SET @cp_rows = CONCAT(' FROM ', t, ' WHERE k >= ? AND ',
            IF(high IS NULL, '? IS NULL', 'k < ?'), ' ORDER BY k%1$s LIMIT ?');
        SET @cp_text = CONCAT(
            'SELECT COALESCE(SUM(n), 0) INTO @cp_bytes FROM (SELECT n', @cp_rows, ') page');
        PREPARE cp_sum FROM @cp_text;
        EXECUTE cp_sum USING %2$s;
        WHILE @cp_bytes > most_bytes AND @cp_most > 1 DO
          SET @cp_most = @cp_most DIV 2;
          EXECUTE cp_sum USING %2$s;
        END WHILE;
        DEALLOCATE PREPARE cp_sum;
        """
            .formatted(direction, bounds)
        + run("'SELECT k, v, ', @cp_most, ' AS asked', @cp_rows", bounds);
  }

  /**
   * Deletes some rows behind a key, and answers with the last key of theirs, null after the last
   * row. Deletions see also what a transaction inserts that has not ended, and wait for it.
   */
  private static String clear() {
    return "SET @cp_after = after_key, @cp_most = most, @cp_last = NULL; "
        + run(
            "'SELECT MAX(k) INTO @cp_last FROM"
                + " (SELECT k FROM ', t, ' WHERE k > ? ORDER BY k LIMIT ?) chunk'",
            "@cp_after, @cp_most")
        + " IF @cp_last IS NULL THEN "
        + run("'DELETE FROM ', t, ' WHERE k > ?'", "@cp_after")
        + " ELSE "
        + run("'DELETE FROM ', t, ' WHERE k > ? AND k <= ?'", "@cp_after, @cp_last")
        + " END IF; SELECT @cp_last;";
  }

  private static String run(String text, String variables) {
    return ("SET @cp_text = CONCAT(%s); PREPARE cp_run FROM @cp_text;"
            + " EXECUTE cp_run USING %s; DEALLOCATE PREPARE cp_run;")
        .formatted(text, variables);
  }
}
