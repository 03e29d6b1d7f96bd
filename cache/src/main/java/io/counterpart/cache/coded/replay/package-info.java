/** What a start does with journals and moves that a crash left behind. */
@NullMarked
package io.counterpart.cache.coded.replay;

import org.jspecify.annotations.NullMarked;
