package io.counterpart.cli.nodes;

/**
 * One line of {@code doctor}.
 *
 * @param ok whether all is well
 * @param subject what was examined
 * @param found what was seen
 * @param advice what to do; empty if all is well
 */
record Finding(boolean ok, String subject, String found, String advice) {

  static Finding ok(String subject, String found) {
    return new Finding(true, subject, found, "");
  }

  static Finding bad(String subject, String found, String advice) {
    return new Finding(false, subject, found, advice);
  }

  String text() {
    return (ok ? "ok    " : "WRONG ") + subject + ": " + found + (ok ? "" : " → " + advice);
  }
}
