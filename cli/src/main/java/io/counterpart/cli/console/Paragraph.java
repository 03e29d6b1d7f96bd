package io.counterpart.cli.console;

/** A sentence in lines that a terminal does not break inside a word. */
public final class Paragraph {
  private Paragraph() {}

  /**
   * Breaks at spaces; a word longer than the width stays whole.
   *
   * @param width characters of a line, at least 1
   */
  public static String wrapped(String text, int width) {
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ")) {
      boolean fits = column + 1 + word.length() <= width;
      if (column > 0) {
        out.append(fits ? " " : System.lineSeparator());
        column = fits ? column + 1 : 0;
      }
      out.append(word);
      column += word.length();
    }
    return out.toString();
  }
}
