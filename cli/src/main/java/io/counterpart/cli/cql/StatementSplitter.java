package io.counterpart.cli.cql;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits CQL text at the semicolons that end a statement: not those in strings, quoted names,
 * {@code $$} bodies, comments or batches. One use only.
 */
final class StatementSplitter {

  private final String text;
  private final List<String> statements = new ArrayList<>();
  private final StringBuilder current = new StringBuilder();
  private int position;

  private StatementSplitter(String text) {
    this.text = text;
  }

  /**
   * The statements without their semicolons and comments; blank ones are left out.
   *
   * @throws IllegalArgumentException if a string, name, body or comment is not closed
   */
  static List<String> split(String text) {
    return new StatementSplitter(text).run();
  }

  private List<String> run() {
    while (position < text.length()) {
      if (at("--") || at("//")) {
        skipLine();
      } else if (at("/*")) {
        position = endOf("*/", 2);
        current.append(' ');
      } else if (at("'") || at("\"")) {
        copyTo(endOf(text.substring(position, position + 1), 1));
      } else if (at("$$")) {
        copyTo(endOf("$$", 2));
      } else if (at(";") && !isOpenBatch()) {
        finish();
        position++;
      } else {
        copyTo(position + 1);
      }
    }
    finish();
    return List.copyOf(statements);
  }

  private boolean at(String mark) {
    return text.startsWith(mark, position);
  }

  private void skipLine() {
    int end = text.indexOf('\n', position);
    position = end < 0 ? text.length() : end;
  }

  private int endOf(String mark, int openLength) {
    int end = text.indexOf(mark, position + openLength);
    if (end < 0) {
      throw new IllegalArgumentException(
          mark
              + " is missing: "
              + text.substring(position, Math.min(text.length(), position + 40)));
    }
    return end + mark.length();
  }

  private void copyTo(int end) {
    current.append(text, position, end);
    position = end;
  }

  private boolean isOpenBatch() {
    String soFar = current.toString().strip().toUpperCase(java.util.Locale.ROOT);
    return soFar.matches("(?s)BEGIN\\s+(UNLOGGED\\s+|COUNTER\\s+)?BATCH\\b.*")
        && !soFar.matches("(?s).*\\bAPPLY\\s+BATCH");
  }

  private void finish() {
    String statement = current.toString().strip();
    if (!statement.isEmpty()) {
      statements.add(statement);
    }
    current.setLength(0);
  }
}
