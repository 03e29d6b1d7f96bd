package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;

/** One client's connection to a {@link ToyStore}, as bytes in and bytes out. */
public final class ToyConnection {

  private final RequestDecoder decoder = new RequestDecoder();
  private final ByteBuf in = Unpooled.buffer();
  private final ByteBuf out = Unpooled.buffer();
  private final ToyClassic classic;
  private final ToyMeta meta;
  private boolean closed;
  private boolean aborted;

  /** A connection to this store. */
  public ToyConnection(ToyStore store) {
    classic = new ToyClassic(store, out);
    meta = new ToyMeta(store, out);
  }

  /** Takes a client's bytes and executes the complete requests. */
  public void receive(byte[] bytes) {
    in.discardReadBytes();
    in.writeBytes(bytes);
    for (Request request = decoder.next(in); request != null; request = decoder.next(in)) {
      try {
        execute(request);
      } finally {
        request.release();
      }
    }
  }

  /** Removes and returns the answers so far. */
  public byte[] takeAnswers() {
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    out.clear();
    return bytes;
  }

  /** Whether the client asked to close, or sent bytes that close. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether the connection was closed on garbage, when memcached drops unsent answers. */
  public boolean isAborted() {
    return aborted;
  }

  /** Whether the bytes ended within a request. */
  public boolean isMidway() {
    return decoder.isMidway(in);
  }

  private void execute(Request request) {
    if (request instanceof Request.Get get) {
      classic.get(get);
    } else if (request instanceof Request.Store store) {
      classic.store(store);
    } else if (request instanceof Request.Delete delete) {
      classic.delete(delete);
    } else if (request instanceof Request.Arithmetic arithmetic) {
      classic.arithmetic(arithmetic);
    } else if (request instanceof Request.Touch touch) {
      classic.touch(touch);
    } else if (request instanceof Request.MetaGet get) {
      meta.get(get);
    } else if (request instanceof Request.MetaSet set) {
      meta.set(set);
    } else if (request instanceof Request.MetaDelete delete) {
      meta.delete(delete);
    } else if (request instanceof Request.MetaArithmetic arithmetic) {
      meta.arithmetic(arithmetic);
    } else if (request instanceof Request.MetaDebug debug) {
      meta.debug(debug);
    } else if (request instanceof Request.FlushAll flush) {
      classic.flush(flush);
    } else if (request instanceof Request.Stats stats) {
      stats(stats);
    } else if (request instanceof Request.Verbosity verbosity) {
      verbosity(verbosity);
    } else if (request instanceof Request.Refused refused) {
      refused(refused);
    } else {
      plain((Request.Plain) request);
    }
  }

  private void stats(Request.Stats request) {
    List<String> arguments = request.arguments();
    if (arguments.isEmpty()) {
      ResponseWriter.stat(out, "pid", "1");
      Answer.END.writeTo(out);
    } else if (arguments.get(0).equals("reset")) {
      Answer.RESET.writeTo(out);
    } else if (arguments.get(0).equals("detail")) {
      detail(arguments.size() < 2 ? "" : arguments.get(1));
    } else {
      Answer.ERROR.writeTo(out);
    }
  }

  private void detail(String argument) {
    if (Arrays.asList("on", "off").contains(argument)) {
      Answer.OK.writeTo(out);
    } else {
      ResponseWriter.clientError(out, "usage: stats detail on|off|dump");
    }
  }

  private void verbosity(Request.Verbosity request) {
    if (!request.noreply()) {
      Answer.OK.writeTo(out);
    }
  }

  private void plain(Request.Plain request) {
    switch (request) {
      case VERSION -> ResponseWriter.version(out, "1.6.18");
      case NOOP -> Answer.MN.writeTo(out);
      case QUIT -> closed = true;
      default -> throw new AssertionError(request);
    }
  }

  private void refused(Request.Refused request) {
    ResponseWriter.refusal(out, request);
    if (request.dropped() != null) {
      classic.drop(request.dropped());
    }
    closed |= request.closes();
    aborted |= request.closes();
  }
}
