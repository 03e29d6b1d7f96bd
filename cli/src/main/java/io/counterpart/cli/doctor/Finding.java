package io.counterpart.cli.doctor;

/**
 * One line of {@code doctor}.
 *
 * @param ok whether nothing is wrong: all is well, or there is only a warning
 * @param subject what was examined
 * @param found what was seen
 * @param advice what to do; empty if all is well, so that a warning is what is ok with advice
 */
record Finding(boolean ok, String subject, String found, String advice) {

  static Finding ok(String subject, String found) {
    return new Finding(true, subject, found, "");
  }

  static Finding bad(String subject, String found, String advice) {
    return new Finding(false, subject, found, advice);
  }

  /** Something that is missing for some uses only. */
  static Finding warning(String subject, String found, String advice) {
    return new Finding(true, subject, found, advice);
  }

  String text() {
    boolean well = ok && advice.isEmpty();
    String verdict = well ? "ok    " : ok ? "WARN  " : "WRONG ";
    return verdict + subject + ": " + found + (well ? "" : " → " + advice);
  }
}
