package io.counterpart.cache.metadata;

import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A log and a naive model of it that random operations change in step. */
final class MetadataModel {
  static final int DATA_CHUNKS = 3;

  /** The state of a stripe, as text. */
  record Stripe(boolean sealed, int slotClass, long layout, long begunAt) {}

  private final Random random;
  private final TreeMap<Integer, Stripe> stripes = new TreeMap<>();

  /** Keys by {@code stripe/chunk/slot}. */
  private final TreeMap<String, String> keys = new TreeMap<>();

  private int epoch;
  private String topology = "none";
  private String settled = "none";
  private String staleServers = "[]";
  private JournalNumbers journalNumbers = JournalNumbers.NONE;
  private String tier = "none";

  MetadataModel(Random random) {
    this.random = random;
  }

  /** Makes a whole checkpoint of a log. */
  static void checkpoint(MetadataLog log) throws IOException {
    log.beginCheckpoint();
    while (!log.writeCheckpoint(Long.MAX_VALUE)) {
      // goes on
    }
    log.checkpointUnderWay().commit();
    log.endCheckpoint();
  }

  /** Changes the log and the model by one random record. */
  void change(MetadataLog log) throws IOException {
    int kind = random.nextInt(100);
    if (stripes.isEmpty() || kind < 4) {
      int slotClass = random.nextInt(SlotClasses.count());
      long layout = random.nextLong();
      long sequence = random.nextLong();
      stripes.put(
          log.openStripe(slotClass, layout, sequence),
          new Stripe(false, slotClass, layout, sequence));
    } else if (kind < 6) {
      seal(log);
    } else if (kind < 8) {
      int stripe = anyStripe();
      log.freeStripe(stripe);
      stripes.remove(stripe);
      keys.keySet().removeIf(slot -> slot.startsWith(stripe + "/"));
    } else if (kind < 9) {
      if (tier.equals("none")) {
        UUID next = new UUID(random.nextLong(), random.nextLong());
        log.setTier(next);
        tier = next.toString();
      } else {
        log.setEpoch(++epoch);
      }
    } else if (kind < 10) {
      Topology next = new Topology(1 + epoch, servers(), random.nextInt(3));
      log.setTopology(next);
      topology = next.toString();
      settled = next.step() == 0 ? topology : settled;
    } else if (kind < 11) {
      Set<ServerId> stale = Set.copyOf(servers().get(0));
      log.setStaleServers(stale);
      staleServers = new TreeSet<>(stale).toString();
    } else if (kind < 12) {
      JournalNumbers known = log.journalNumbers();
      JournalNumbers next =
          new JournalNumbers(known.end() - known.first(), known.end() + random.nextInt(3));
      journalNumbers = next.first() < known.first() ? known : next;
      log.setJournalNumbers(journalNumbers);
    } else {
      changeSlot(log);
    }
  }

  private void seal(MetadataLog log) throws IOException {
    int stripe = anyStripe();
    Stripe known = stripes.get(stripe);
    if (known.sealed()) {
      log.setEpoch(++epoch);
    } else {
      log.seal(stripe);
      stripes.put(stripe, new Stripe(true, known.slotClass(), known.layout(), known.begunAt()));
    }
  }

  private void changeSlot(MetadataLog log) throws IOException {
    int stripe = anyStripe();
    int chunk = random.nextInt(DATA_CHUNKS);
    int slot = random.nextInt(SlotClasses.slotsPerChunk(stripes.get(stripe).slotClass()));
    String name = stripe + "/" + chunk + "/" + slot;
    if (keys.containsKey(name)) {
      log.free(stripe, chunk, slot);
      keys.remove(name);
    } else {
      byte[] key = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 250 : 30)];
      random.nextBytes(key);
      log.assign(stripe, chunk, slot, key);
      keys.put(name, text(key));
    }
  }

  private int anyStripe() {
    return List.copyOf(stripes.keySet()).get(random.nextInt(stripes.size()));
  }

  private List<List<ServerId>> servers() {
    List<List<ServerId>> rings = new ArrayList<>();
    for (int ring = 0; ring < 5; ring++) {
      rings.add(List.of(new ServerId("s" + ring), new ServerId("t" + random.nextInt(99))));
    }
    return rings;
  }

  /** The content of the model. */
  String state() {
    return describe(
        stripes,
        keys,
        epoch + " " + topology + " " + tier,
        settled,
        staleServers + " " + journalNumbers);
  }

  /** The content of a log, in the same form. */
  static String state(MetadataLog log) throws IOException {
    TreeMap<Integer, Stripe> stripes = new TreeMap<>();
    for (int stripe = 0; stripe < log.stripes().end(); stripe++) {
      StripeState state = log.stripes().state(stripe);
      if (state != StripeState.FREE) {
        boolean sealed = state == StripeState.SEALED;
        int slotClass = log.stripes().slotClass(stripe);
        stripes.put(
            stripe,
            new Stripe(
                sealed, slotClass, log.stripes().layout(stripe), log.chunks().begunAt(stripe)));
      }
    }
    TreeMap<String, String> keys = new TreeMap<>();
    int[] live = new int[log.stripes().end()];
    log.chunks()
        .forEach(
            (stripe, chunk, slot, key) -> {
              keys.put(stripe + "/" + chunk + "/" + slot, text(key));
              live[stripe]++;
            });
    for (int stripe : stripes.keySet()) {
      if (log.stripes().live(stripe) != live[stripe]) {
        throw new AssertionError("stripe " + stripe + " should have " + live[stripe] + " live");
      }
    }
    if (log.chunks().size() != keys.size()) {
      throw new AssertionError(log.chunks().size() + " keys counted, " + keys.size() + " found");
    }
    String topology = log.topology().map(Topology::toString).orElse("none");
    String settled = log.settledTopology().map(Topology::toString).orElse("none");
    return describe(
        stripes,
        keys,
        log.epoch() + " " + topology + " " + log.tier().map(UUID::toString).orElse("none"),
        settled,
        new TreeSet<>(log.staleServers()) + " " + log.journalNumbers());
  }

  private static String describe(
      TreeMap<Integer, Stripe> stripes, TreeMap<String, String> keys, String... others) {
    return stripes + "\n" + keys + "\n" + String.join("\n", others);
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }
}
