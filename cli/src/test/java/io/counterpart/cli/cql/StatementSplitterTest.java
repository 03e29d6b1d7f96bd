package io.counterpart.cli.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StatementSplitterTest {

  @Test
  void splits_at_semicolons_and_drops_blank_statements() {
    assertThat(StatementSplitter.split("a; b ;; \n c")).containsExactly("a", "b", "c");
  }

  @Test
  void semicolons_inside_strings_names_and_bodies_do_not_split() {
    assertThat(StatementSplitter.split("x 'a;''b' ; y \"c;d\" ; z $$e;'f$$"))
        .containsExactly("x 'a;''b'", "y \"c;d\"", "z $$e;'f$$");
  }

  @Test
  void comments_are_left_out_but_not_inside_strings() {
    assertThat(StatementSplitter.split("a -- one; 'two\n, b // three\n, /* four; */ c, '--d'"))
        .containsExactly("a \n, b \n,   c, '--d'");
  }

  @Test
  void a_batch_is_one_statement() {
    String batch = "BEGIN UNLOGGED BATCH INSERT a; INSERT b; APPLY BATCH";

    assertThat(StatementSplitter.split(batch + "; SELECT 1")).containsExactly(batch, "SELECT 1");
  }

  @Test
  void what_is_not_closed_is_refused() {
    assertThatThrownBy(() -> StatementSplitter.split("a 'b")).hasMessageContaining("' is missing");
    assertThatThrownBy(() -> StatementSplitter.split("a /* b"))
        .hasMessageContaining("*/ is missing");
    assertThatThrownBy(() -> StatementSplitter.split("a $$ b"))
        .hasMessageContaining("$$ is missing");
  }
}
