package io.counterpart.cache.metadata;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Encodes record bodies and applies them on replay. */
final class Records {
  private Records() {}

  static long assign(LogFileWriter to, int stripe, int chunk, int slot, byte[] key)
      throws IOException {
    int bytes = Frame.SLOT_BODY_BYTES + key.length;
    slot(to.begin(bytes), stripe, chunk, slot).put(key);
    return to.end(Frame.ASSIGN, bytes);
  }

  static void free(LogFileWriter to, int stripe, int chunk, int slot) throws IOException {
    slot(to.begin(Frame.SLOT_BODY_BYTES), stripe, chunk, slot);
    to.end(Frame.FREE, Frame.SLOT_BODY_BYTES);
  }

  private static ByteBuffer slot(ByteBuffer body, int stripe, int chunk, int slot) {
    return body.putInt(stripe).put((byte) chunk).put((byte) slot);
  }

  static void opened(LogFileWriter to, int stripe, int slotClass, long layout, long sequence)
      throws IOException {
    to.begin(21).putInt(stripe).put((byte) slotClass).putLong(layout).putLong(sequence);
    to.end(Frame.STRIPE_OPENED, 21);
  }

  /** SEALED or STRIPE_FREED. */
  static void stripe(LogFileWriter to, int kind, int stripe) throws IOException {
    to.begin(4).putInt(stripe);
    to.end(kind, 4);
  }

  static void epoch(LogFileWriter to, int epoch) throws IOException {
    to.begin(4).putInt(epoch);
    to.end(Frame.EPOCH, 4);
  }

  static void topology(LogFileWriter to, Topology topology) throws IOException {
    int bytes = topologyBytes(topology);
    ByteBuffer body = to.begin(bytes);
    body.putLong(topology.version()).putInt(topology.step());
    body.put((byte) topology.servers().size());
    for (List<ServerId> ring : topology.servers()) {
      putNames(body, ring);
    }
    to.end(Frame.TOPOLOGY, bytes);
  }

  static int topologyBytes(Topology topology) {
    int bytes = 13;
    for (List<ServerId> ring : topology.servers()) {
      bytes += namesBytes(ring);
    }
    return bytes;
  }

  static void staleServers(LogFileWriter to, Collection<ServerId> servers) throws IOException {
    int bytes = namesBytes(servers);
    putNames(to.begin(bytes), servers);
    to.end(Frame.STALE_SERVERS, bytes);
  }

  static void journalNumbers(LogFileWriter to, JournalNumbers numbers) throws IOException {
    to.begin(16).putLong(numbers.first()).putLong(numbers.end());
    to.end(Frame.JOURNAL_NUMBERS, 16);
  }

  static void tier(LogFileWriter to, UUID tier) throws IOException {
    to.begin(16).putLong(tier.getMostSignificantBits()).putLong(tier.getLeastSignificantBits());
    to.end(Frame.TIER, 16);
  }

  static void lastOpened(LogFileWriter to, long sequence) throws IOException {
    to.begin(8).putLong(sequence);
    to.end(Frame.LAST_OPENED, 8);
  }

  static void goesOn(LogFileWriter to, int number) throws IOException {
    to.begin(Frame.GOES_ON_BODY_BYTES).putInt(number);
    to.end(Frame.GOES_ON, Frame.GOES_ON_BODY_BYTES);
  }

  private static int namesBytes(Collection<ServerId> servers) {
    return 2 + servers.stream().mapToInt(server -> 1 + server.name().length()).sum();
  }

  private static void putNames(ByteBuffer body, Collection<ServerId> servers) {
    body.putShort((short) servers.size());
    for (ServerId server : servers) {
      body.put((byte) server.name().length());
      body.put(server.name().getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static List<ServerId> names(ByteBuffer body) {
    int servers = body.getShort() & 0xffff;
    List<ServerId> names = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      byte[] name = new byte[body.get() & 0xff];
      body.get(name);
      names.add(new ServerId(new String(name, StandardCharsets.US_ASCII)));
    }
    return names;
  }

  private static Topology topology(ByteBuffer body) {
    long version = body.getLong();
    int step = body.getInt();
    int count = body.get() & 0xff;
    List<List<ServerId>> rings = new ArrayList<>();
    for (int ring = 0; ring < count; ring++) {
      rings.add(names(body));
    }
    return new Topology(version, rings, step);
  }

  /**
   * Checks and applies a record.
   *
   * @throws RuntimeException if it does not fit the state or its body is too short
   */
  static void apply(int kind, ByteBuffer body, long position, MetadataState state)
      throws IOException {
    switch (kind) {
      case Frame.ASSIGN -> assigned(body, position, state);
      case Frame.FREE -> {
        int stripe = body.getInt();
        int chunk = body.get() & 0xff;
        int slot = body.get() & 0xff;
        state.checkFree(stripe, chunk, slot);
        state.free(stripe, chunk, slot);
      }
      case Frame.STRIPE_OPENED -> {
        int stripe = body.getInt();
        int slotClass = body.get();
        state.checkOpen(stripe, slotClass);
        state.open(stripe, slotClass, body.getLong(), body.getLong());
      }
      case Frame.SEALED -> {
        int stripe = body.getInt();
        state.checkSeal(stripe);
        state.seal(stripe);
      }
      case Frame.STRIPE_FREED -> {
        int stripe = body.getInt();
        state.checkFreeStripe(stripe);
        state.freeStripe(stripe);
      }
      case Frame.TOPOLOGY -> {
        Topology topology = topology(body);
        state.checkTopology(topology);
        state.setTopology(topology);
      }
      case Frame.EPOCH -> {
        int epoch = body.getInt();
        state.checkEpoch(epoch);
        state.setEpoch(epoch);
      }
      case Frame.STALE_SERVERS -> state.setStaleServers(Set.copyOf(names(body)));
      case Frame.JOURNAL_NUMBERS -> {
        JournalNumbers numbers = new JournalNumbers(body.getLong(), body.getLong());
        state.checkJournalNumbers(numbers);
        state.setJournalNumbers(numbers);
      }
      case Frame.TIER -> {
        state.checkTier();
        state.setTier(new UUID(body.getLong(), body.getLong()));
      }
      case Frame.LAST_OPENED -> state.noteOpened(body.getLong());
      // say something of the file, not of the state
      case Frame.SYNCED, Frame.SYNCED_TO, Frame.GOES_ON -> {}
      default ->
          throw new IllegalArgumentException("kind " + kind + ", legal: 1 to 10 and 13 to 16");
    }
  }

  private static void assigned(ByteBuffer body, long position, MetadataState state) {
    int stripe = body.getInt();
    int chunk = body.get() & 0xff;
    int slot = body.get() & 0xff;
    state.checkAssign(stripe, chunk, slot, body.remaining());
    state.assign(stripe, chunk, slot, position);
  }
}
