package io.counterpart.cache.ownership;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a server's mark: its owner, and whether the server has all of its items.
 *
 * @param tier null if the text is not understood
 * @param epoch of the start that claimed the server, from 0
 * @param site of the metadata of that start
 * @param state completeness of the server's items
 * @param copies the copies of the metadata that count, as far as this server was told
 * @param text as read or to be written
 */
public record ServerMark(
    @Nullable UUID tier, int epoch, long site, State state, CopySet copies, String text) {
  private static final Pattern TEXT =
      Pattern.compile(
          "counterpart tier=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) epoch=(\\d{1,8})"
              + " site=([0-9a-f]{16}) (?:copies=(\\S+) )?(whole|lacking)");

  /** The completeness of a server's items. */
  public enum State {
    /** All items are there. */
    WHOLE,
    /** Items are missing: the server was emptied, and is not restored yet. */
    LACKING,
    /** Unknown: the mark's format is not known here. */
    UNKNOWN
  }

  /** A mark to be written. */
  static ServerMark of(UUID tier, int epoch, long site, boolean isWhole, CopySet copies) {
    State state = isWhole ? State.WHOLE : State.LACKING;
    String text =
        "counterpart tier=%s epoch=%d site=%016x %s%s"
            .formatted(
                tier,
                epoch,
                site,
                copies.isSet() ? "copies=" + copies + " " : "",
                state.name().toLowerCase(Locale.ROOT));
    return new ServerMark(tier, epoch, site, state, copies, text);
  }

  /** Parses a mark; any text is one. */
  public static ServerMark parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (parts.matches()) {
      String copies = parts.group(4);
      Optional<CopySet> known = copies == null ? Optional.of(CopySet.NONE) : CopySet.parse(copies);
      if (known.isPresent()) {
        return new ServerMark(
            UUID.fromString(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Long.parseUnsignedLong(parts.group(3), 16),
            State.valueOf(parts.group(5).toUpperCase(Locale.ROOT)),
            known.get(),
            text);
      }
    }
    return new ServerMark(null, 0, 0, State.UNKNOWN, CopySet.NONE, text);
  }
}
