/** Tests as text: files of given / when / then blocks that a reviewer can read without Java. */
@NullMarked
package io.counterpart.testkit.cases;

import org.jspecify.annotations.NullMarked;
