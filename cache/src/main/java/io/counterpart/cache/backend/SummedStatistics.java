package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Adds up the {@code stats} of several servers as if they were one server: numbers are summed, ages
 * and sizes are the maximum. Slab classes are matched by number, so servers of one tier should have
 * the same class sizes. Belongs to the servers' event loop.
 */
public final class SummedStatistics {
  /** Name of the number of servers that answered. */
  public static final String SERVERS = "servers";

  /** Name of the number of items; the tier defines an item. */
  public static final String ITEMS = "curr_items";

  /** Name of the servers' memory for items. */
  public static final String LIMIT_BYTES = "limit_maxbytes";

  /** Name of the number of items that left for lack of memory. */
  public static final String EVICTIONS = "evictions";

  /** Names among plain {@code stats} that make sense as a sum. */
  private static final Set<String> PLAIN =
      Set.of(
          "bytes",
          ITEMS,
          LIMIT_BYTES,
          "hash_bytes",
          EVICTIONS,
          "expired_unfetched",
          "evicted_unfetched",
          "evicted_active",
          "reclaimed",
          "direct_reclaims",
          "crawler_reclaimed",
          "crawler_items_checked",
          "lru_crawler_starts",
          "moves_to_cold",
          "moves_to_warm",
          "moves_within_lru",
          "slab_global_page_pool",
          "slab_reassign_evictions_nomem",
          "slab_reassign_busy_deletes",
          "slabs_moved",
          "malloc_fails");

  private static final Set<String> LARGEST =
      Set.of("chunk_size", "chunks_per_page", "age", "age_hot", "age_warm", "evicted_time");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final String ACTIVE_CLASSES = "active_slabs";
  private static final String MALLOCED_BYTES = "total_malloced";
  private static final String CHUNK_SIZE = ":chunk_size";

  private final String group;
  private final Consumer<Map<String, Long>> done;
  private final Map<String, Long> numbers = new LinkedHashMap<>();
  private long told;
  private int left;

  private SummedStatistics(String group, int servers, Consumer<Map<String, Long>> done) {
    this.group = group;
    this.left = servers;
    this.done = done;
  }

  /**
   * Queries the connected servers.
   *
   * @param group of statistics; empty for the plain ones
   * @param done gets numbers by name, the plain ones with {@link #SERVERS}; an empty map if no
   *     server answers
   */
  public static void ask(
      Collection<ServerConnection> servers, String group, Consumer<Map<String, Long>> done) {
    List<ServerConnection> open = servers.stream().filter(ServerConnection::isOpen).toList();
    if (open.isEmpty()) {
      done.accept(new LinkedHashMap<>());
      return;
    }
    SummedStatistics sum = new SummedStatistics(group, open.size(), done);
    String[] arguments = group.isEmpty() ? new String[0] : new String[] {group};
    open.forEach(server -> server.command(sum.new Lines()).stats(arguments));
  }

  /** Collects the lines of one server. */
  private final class Lines implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      if (reply.status() == ReplyStatus.STAT) {
        take(reply.text());
      } else {
        told += reply.status() == ReplyStatus.END ? 1 : 0;
        oneLess();
      }
    }

    @Override
    public void lost(ServerLostException why) {
      oneLess();
    }
  }

  /**
   * Adds up what several groups of servers have told, as if they were one.
   *
   * @return numbers in the order of the first group that has any; empty if none has
   */
  public static Map<String, Long> sum(Collection<Map<String, Long>> groups) {
    Map<String, Long> sum = new LinkedHashMap<>();
    groups.forEach(group -> group.forEach((name, number) -> add(sum, name, number)));
    countClasses(sum);
    return sum;
  }

  private static void add(Map<String, Long> numbers, String name, long number) {
    boolean isLargest = LARGEST.contains(name.substring(name.lastIndexOf(':') + 1));
    numbers.merge(name, number, isLargest ? Math::max : Long::sum);
  }

  /** Puts the number of slab classes, which are no sum, behind the classes. */
  private static void countClasses(Map<String, Long> numbers) {
    if (numbers.remove(ACTIVE_CLASSES) != null) {
      long classes = numbers.keySet().stream().filter(name -> name.endsWith(CHUNK_SIZE)).count();
      Long malloced = numbers.remove(MALLOCED_BYTES);
      numbers.put(ACTIVE_CLASSES, classes);
      numbers.put(MALLOCED_BYTES, malloced == null ? 0 : malloced);
    }
  }

  /** Takes a line without its {@code STAT}; ignores lines without a number. */
  private void take(String line) {
    String[] words = line.split(" ", 2);
    boolean isWanted = !group.isEmpty() || PLAIN.contains(words[0]);
    if (isWanted && words.length == 2 && NUMBER.matcher(words[1]).matches()) {
      add(numbers, words[0], Long.parseLong(words[1]));
    }
  }

  private void oneLess() {
    if (--left > 0) {
      return;
    }
    if (group.isEmpty() && told > 0) {
      numbers.put(SERVERS, told);
    }
    countClasses(numbers);
    done.accept(numbers);
  }
}
