package io.counterpart.cache.protocol;

import io.counterpart.cache.protocol.Request.Arithmetic;
import io.counterpart.cache.protocol.Request.Delete;
import io.counterpart.cache.protocol.Request.FlushAll;
import io.counterpart.cache.protocol.Request.Get;
import io.counterpart.cache.protocol.Request.Plain;
import io.counterpart.cache.protocol.Request.Stats;
import io.counterpart.cache.protocol.Request.Touch;
import io.counterpart.cache.protocol.Request.Verbosity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a line into a request. The checks run in memcached's order, because a line with several
 * mistakes gets one error.
 */
final class CommandParser {

  private static final int LEAST_MEGABYTES = 8;

  private final TokenLine line;
  private final StoreParser stores;
  private final MetaParser metas;

  CommandParser(TokenLine line, StoreParser stores) {
    this.line = line;
    this.stores = stores;
    this.metas = new MetaParser(line, stores);
  }

  /** The request, or null if a value follows, which the {@link StoreParser} then describes. */
  @Nullable Request parse() {
    if (line.count() == 0 || line.length(0) < 2) {
      return Refusals.ERROR;
    }
    byte first = line.byteAt(0, 0);
    if (first == 'm' && line.length(0) == 2) {
      return metas.parse();
    }
    return switch (first) {
      case 'g' -> retrieval();
      case 's' -> beginsWithS();
      case 'a' -> update("add", StoreMode.ADD, "append", StoreMode.APPEND);
      case 'c' -> beginsWithC();
      case 'i' -> line.is(0, "incr") ? arithmetic(true) : Refusals.ERROR;
      case 'd' -> beginsWithD();
      case 't' -> line.is(0, "touch") ? touch() : Refusals.ERROR;
      default -> other();
    };
  }

  private @Nullable Request update(
      String word, StoreMode mode, String otherWord, StoreMode otherMode) {
    if (line.is(0, word)) {
      return stores.parse(mode);
    }
    return line.is(0, otherWord) ? stores.parse(otherMode) : Refusals.ERROR;
  }

  private @Nullable Request beginsWithC() {
    if (line.is(0, "cas")) {
      return stores.parse(StoreMode.CAS);
    }
    boolean isLimit = line.is(0, "cache_memlimit") && line.count() > 1 && line.count() < 4;
    if (!isLimit || !line.readUnsigned(1, 0)) {
      return Refusals.ERROR;
    }
    // the servers have the memory, and their own limits
    return Refusals.line(
        line.number() < LEAST_MEGABYTES ? Refusals.SMALL_LIMIT : Refusals.FIXED_LIMIT,
        line.saysNoreply());
  }

  private @Nullable Request beginsWithS() {
    if (line.is(0, "set")) {
      return stores.parse(StoreMode.SET);
    }
    if (line.is(0, "stats")) {
      return new Stats(line.texts(1));
    }
    if (line.is(0, "slabs")) {
      return slabs();
    }
    return line.is(0, "shutdown") ? Refusals.line(Refusals.NO_SHUTDOWN) : Refusals.ERROR;
  }

  /** Slab commands: pages belong to the servers, so the tier decides on these commands. */
  private Request slabs() {
    if (line.count() == 4 && line.is(1, "reassign")) {
      return line.readSigned(2, 0) && line.readSigned(3, 0)
          ? Refusals.line(Refusals.NO_SPARE_PAGE)
          : Refusals.line(Refusals.BAD_FORMAT);
    }
    if (line.count() < 3 || !line.is(1, "automove") || line.is(2, "ratio")) {
      return Refusals.ERROR;
    }
    if (!line.readUnsigned(2, 0)) {
      return Refusals.line(Refusals.BAD_FORMAT);
    }
    return line.number() == 1 || line.number() == 2
        ? Refusals.line(Refusals.NO_REASSIGNMENT)
        : line.number() == 0 ? Refusals.line("OK") : Refusals.ERROR;
  }

  private Request beginsWithD() {
    if (line.is(0, "delete")) {
      return delete();
    }
    return line.is(0, "decr") ? arithmetic(false) : Refusals.ERROR;
  }

  private @Nullable Request other() {
    if (line.is(0, "replace") || line.is(0, "prepend")) {
      return update("replace", StoreMode.REPLACE, "prepend", StoreMode.PREPEND);
    }
    if (line.is(0, "bget")) {
      return line.count() < 2 ? Refusals.ERROR : keys(1, false, 0);
    }
    if (line.is(0, "flush_all")) {
      return flushAll();
    }
    if (line.is(0, "version")) {
      return Plain.VERSION;
    }
    if (line.is(0, "quit")) {
      return Plain.QUIT;
    }
    if (line.is(0, "verbosity")) {
      return verbosity();
    }
    if (line.is(0, "lru_crawler") && line.count() > 2) {
      // the tier has an order of its own, not memcached's lists of recently used items
      boolean walks = line.is(1, "crawl") || line.is(1, "metadump");
      return walks ? Refusals.line(Refusals.NO_CRAWLER) : Refusals.ERROR;
    }
    // a browser, or an attacker who makes a browser talk to this port
    return line.startsWith(line.count() - 1, "HTTP/") ? Refusals.CLOSE : Refusals.ERROR;
  }

  private Request retrieval() {
    if (line.count() < 2) {
      return Refusals.ERROR;
    }
    if (line.is(0, "get")) {
      return keys(1, false, 0);
    }
    if (line.is(0, "gets")) {
      return keys(1, true, 0);
    }
    boolean withCas = line.is(0, "gats");
    if (!withCas && !line.is(0, "gat")) {
      return Refusals.ERROR;
    }
    if (!line.readSigned(1, 0)) {
      return Refusals.line(Refusals.BAD_EXPTIME);
    }
    return keys(2, withCas, line.number());
  }

  /** All tokens from {@code first} on, in any number, as keys. */
  private Request keys(int first, boolean withCas, long exptime) {
    boolean touches = first == 2;
    if (line.count() == first + 1 && !line.hasMore()) {
      return isTooLong(first)
          ? Refusals.line(Refusals.BAD_FORMAT)
          : new Get(List.of(line.key(first)), withCas, touches, (int) exptime);
    }
    List<Key> keys = new ArrayList<>();
    int token = first;
    do {
      for (; token < line.count(); token++) {
        if (isTooLong(token)) {
          return Refusals.line(Refusals.BAD_FORMAT);
        }
        keys.add(line.key(token));
      }
      token = 0;
    } while (line.cutMore());
    return new Get(keys, withCas, touches, (int) exptime);
  }

  private Request arithmetic(boolean increments) {
    if (line.count() < 3 || line.count() > 4) {
      return Refusals.ERROR;
    }
    boolean noreply = line.saysNoreply();
    if (isTooLong(1)) {
      return Refusals.line(Refusals.BAD_FORMAT, noreply);
    }
    return line.readUnsigned(2, 0)
        ? new Arithmetic(line.key(1), increments, line.number(), noreply)
        : Refusals.line(Refusals.BAD_DELTA, noreply);
  }

  private Request touch() {
    if (line.count() < 3 || line.count() > 4) {
      return Refusals.ERROR;
    }
    boolean noreply = line.saysNoreply();
    if (isTooLong(1)) {
      return Refusals.line(Refusals.BAD_FORMAT, noreply);
    }
    return line.readSigned(2, 0)
        ? new Touch(line.key(1), (int) line.number(), noreply)
        : Refusals.line(Refusals.BAD_EXPTIME, noreply);
  }

  private Request delete() {
    int count = line.count();
    if (count < 2 || count > 4) {
      return Refusals.ERROR;
    }
    boolean noreply = count > 2 && line.saysNoreply();
    if (count > 2) {
      // an ancient argument, how long to refuse adds: only 0 is left of it
      boolean zero = line.is(2, "0");
      boolean valid = count == 3 ? zero || noreply : zero && noreply;
      if (!valid) {
        return Refusals.line(Refusals.BAD_DELETE, noreply);
      }
    }
    return isTooLong(1)
        ? Refusals.line(Refusals.BAD_FORMAT, noreply)
        : new Delete(line.key(1), noreply);
  }

  private Request flushAll() {
    if (line.count() > 3) {
      return Refusals.ERROR;
    }
    boolean noreply = line.saysNoreply();
    if (line.count() == (noreply ? 2 : 1)) {
      return new FlushAll(0, noreply);
    }
    return line.readSigned(1, 0)
        ? new FlushAll((int) line.number(), noreply)
        : Refusals.line(Refusals.BAD_EXPTIME, noreply);
  }

  private Request verbosity() {
    if (line.count() < 2 || line.count() > 3) {
      return Refusals.ERROR;
    }
    boolean noreply = line.saysNoreply();
    return line.readUnsigned(1, 0)
        ? new Verbosity(noreply)
        : Refusals.line(Refusals.BAD_FORMAT, noreply);
  }

  private boolean isTooLong(int token) {
    return line.length(token) > Key.MAX_BYTES;
  }
}
