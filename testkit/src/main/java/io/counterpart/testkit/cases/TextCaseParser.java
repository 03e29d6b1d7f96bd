package io.counterpart.testkit.cases;

import java.util.ArrayList;
import java.util.List;

/** Reads the blocks of a case file, strictly: a misspelt block must not make a test vacuous. */
final class TextCaseParser {

  private static final String CASE = "case ";

  private static final List<String> BLOCKS = List.of("given", "when", "then");

  private final String file;
  private final List<TextCase> cases = new ArrayList<>();
  private final List<List<String>> blocks = new ArrayList<>();
  private String name = "";
  private int start;

  TextCaseParser(String file) {
    this.file = file;
  }

  List<TextCase> parse(List<String> lines) {
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        accept(line, number);
      }
    }
    finish();
    if (cases.isEmpty()) {
      throw new IllegalArgumentException(file + " holds no case");
    }
    return List.copyOf(cases);
  }

  private void accept(String line, int number) {
    if (line.startsWith(CASE)) {
      finish();
      name = line.substring(CASE.length()).strip();
      start = number;
    } else if (BLOCKS.contains(line)) {
      open(line, number);
    } else if (blocks.isEmpty()) {
      throw malformed(number, "expected given, when or then, found '" + line + "'");
    } else {
      blocks.get(blocks.size() - 1).add(line);
    }
  }

  private void open(String block, int number) {
    if (name.isEmpty()) {
      throw malformed(number, "a block before the first case");
    }
    if (BLOCKS.indexOf(block) != blocks.size()) {
      throw malformed(number, "blocks must be given, when, then, each once");
    }
    blocks.add(new ArrayList<>());
  }

  private void finish() {
    if (name.isEmpty()) {
      return;
    }
    if (blocks.size() != BLOCKS.size()) {
      throw malformed(start, "case '" + name + "' lacks a block of given, when, then");
    }
    cases.add(new TextCase(name, start, blocks.get(0), blocks.get(1), blocks.get(2)));
    blocks.clear();
  }

  private IllegalArgumentException malformed(int line, String what) {
    return new IllegalArgumentException(file + ":" + line + ": " + what);
  }
}
