package io.counterpart.cache.metadata;

import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes a checkpoint: the state as records in new log files, then a new {@code start} that names
 * them. A crash leaves either the old start, and files that the next replay deletes, or the new
 * start.
 */
final class Checkpoint {
  private final LogDirectory directory;
  private final MetadataOptions options;
  private final MetadataState state;
  private final LogFiles segments;
  private final Consumer<String> steps;
  private final List<Integer> written = new ArrayList<>();
  private final int first;
  private LogFileWriter writer;

  /**
   * @param first number of the first new log file
   * @param steps called after each durable step, so that a test may crash there
   */
  Checkpoint(
      LogDirectory directory,
      MetadataOptions options,
      MetadataState state,
      LogFiles segments,
      int first,
      Consumer<String> steps)
      throws IOException {
    this.directory = directory;
    this.options = options;
    this.state = state;
    this.segments = segments;
    this.steps = steps;
    this.first = first;
    this.writer = next();
  }

  private LogFileWriter next() throws IOException {
    int number = first + written.size();
    written.add(number);
    LogFileHeader header = new LogFileHeader(number, first, options.dataChunks());
    return LogFileWriter.create(directory, header);
  }

  /**
   * Writes the new files, switches to them, and deletes the superseded ones.
   *
   * @return number of the next log file
   */
  int run() throws IOException {
    try {
      writeState();
      writer.finish();
    } finally {
      writer.close();
    }
    steps.accept("written");
    directory.setStart(first);
    steps.accept("switched");
    for (int number : written) {
      segments.addEnded(number);
      relocate(segments.ended(number), number);
    }
    segments.dropBelow(first);
    for (int number : directory.segments().headMap(first).keySet()) {
      directory.delete(List.of(number));
      steps.accept("deleted segment " + number);
    }
    return first + written.size();
  }

  private void writeState() throws IOException {
    if (state.epoch() > 0) {
      Records.epoch(writer, state.epoch());
    }
    TierIdentity tier = state.tier();
    if (tier != null) {
      Records.tier(writer, tier);
    }
    Topology settled = state.settled();
    Topology topology = state.topology();
    if (settled != null) {
      Records.topology(writer, settled);
    }
    if (topology != null && !topology.equals(settled)) {
      Records.topology(writer, topology);
    }
    Records.staleServers(writer, state.staleServers());
    Records.journalNumbers(writer, state.journalNumbers());
    Records.lastOpened(writer, state.lastOpened());
    StripeIndex stripes = state.stripes();
    for (int stripe = 0; stripe < stripes.end(); stripe++) {
      if (stripes.state(stripe) != StripeState.FREE) {
        writeStripe(stripe);
      }
    }
    for (LeftSlot left : state.left()) {
      roll();
      Records.left(writer, left);
    }
  }

  private void writeStripe(int stripe) throws IOException {
    StripeIndex stripes = state.stripes();
    roll();
    Records.opened(
        writer, stripe, stripes.slotClass(stripe), stripes.layout(stripe), state.openedAt(stripe));
    state
        .chunks()
        .forEach(
            stripe,
            (number, chunk, slot, key) -> {
              roll();
              Records.assign(writer, number, chunk, slot, key);
            });
    if (stripes.state(stripe) == StripeState.SEALED) {
      Records.stripe(writer, Frame.SEALED, stripe);
    }
  }

  private void roll() throws IOException {
    if (writer.length() >= options.segmentBytes()) {
      writer.finish();
      writer.close();
      steps.accept("wrote segment " + writer.header().number());
      writer = next();
    }
  }

  /** Makes the chunk index read the keys from the new files. */
  private void relocate(ByteBuffer bytes, int number) {
    int at = LogFileHeader.BYTES;
    while (at < bytes.limit()) {
      if (Frame.kind(bytes, at) == Frame.ASSIGN) {
        int body = at + Frame.HEADER_BYTES;
        int chunk = bytes.get(body + 4) & 0xff;
        int slot = bytes.get(body + 5) & 0xff;
        state.chunks().relocate(bytes.getInt(body), chunk, slot, Frame.position(number, at));
      }
      at += Frame.HEADER_BYTES + Frame.bodyBytes(bytes, at);
    }
  }
}
