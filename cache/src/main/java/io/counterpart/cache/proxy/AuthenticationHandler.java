package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a client as memcached's {@code -Y} does: by a {@code set} of any key whose value is
 * a user and its password. Until then every command is refused; too many refusals or too long a
 * delay close the connection. After success the handler leaves the pipeline, so requests do not
 * pass it. Belongs to the connection's event loop.
 */
final class AuthenticationHandler extends ByteToMessageDecoder {
  static final int LIMIT_SECONDS = 10;

  private static final int MAX_LINE_BYTES = 2048;
  private static final int MAX_REFUSALS = 8;
  private static final int CRLF = '\r' << 8 | '\n';
  private static final int NO_VALUE = -1;
  private static final int SET_WORDS = 5;
  private static final int LENGTH_WORD = 4;
  private static final int MAX_VALUE_BYTES = 2 * Credentials.MAX_BYTES + 1;
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final Pattern OUTER_SPACES = Pattern.compile("^ +| +$");
  private static final Pattern LENGTH = Pattern.compile("\\d{1,9}");

  private final Credentials credentials;
  private final ProxyStatistics statistics;
  private int valueBytes = NO_VALUE;
  private int refusals;
  private @Nullable Future<?> deadline;

  AuthenticationHandler(Credentials credentials, ProxyStatistics statistics) {
    this.credentials = credentials;
    this.statistics = statistics;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    deadline = context.executor().schedule(() -> context.close(), LIMIT_SECONDS, TimeUnit.SECONDS);
    super.channelActive(context);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (refusals >= MAX_REFUSALS) {
      in.skipBytes(in.readableBytes());
    } else if (valueBytes == NO_VALUE) {
      command(context, in);
    } else if (in.readableBytes() >= valueBytes + 2) {
      value(context, in);
    }
  }

  private void command(ChannelHandlerContext context, ByteBuf in) {
    int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
    if (end < 0) {
      if (in.readableBytes() > MAX_LINE_BYTES) {
        giveUp(context, in);
      }
      return;
    }
    String line = in.readCharSequence(end - in.readerIndex(), ISO_8859_1).toString();
    in.skipBytes(1);
    String[] words = words(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
    if (words.length < SET_WORDS
        || !words[0].equals("set")
        || !LENGTH.matcher(words[LENGTH_WORD]).matches()) {
      refuse(context, "unauthenticated");
      return;
    }
    valueBytes = Integer.parseInt(words[LENGTH_WORD]);
    if (valueBytes > MAX_VALUE_BYTES) {
      refuse(context, "bad authentication token format");
      giveUp(context, in);
    }
  }

  private void value(ChannelHandlerContext context, ByteBuf in) {
    String value = in.readCharSequence(valueBytes, ISO_8859_1).toString();
    boolean ends = in.readShort() == CRLF;
    valueBytes = NO_VALUE;
    String[] words = words(value);
    if (!ends) {
      refuse(context, "bad command line termination");
    } else if (words.length < 2) {
      refuse(context, "bad authentication token format");
    } else if (credentials.accept((words[0] + " " + words[1]).getBytes(ISO_8859_1))) {
      statistics.authenticated(true);
      answer(context, "STORED");
      // passes on the bytes behind it
      context.pipeline().remove(this);
    } else {
      statistics.authenticated(false);
      refuse(context, "authentication failure");
    }
  }

  private static String[] words(String line) {
    return SPACES.split(OUTER_SPACES.matcher(line).replaceAll(""), -1);
  }

  private void refuse(ChannelHandlerContext context, String why) {
    refusals++;
    answer(context, "CLIENT_ERROR " + why);
    if (refusals == MAX_REFUSALS) {
      closeAfterAnswers(context);
    }
  }

  private void giveUp(ChannelHandlerContext context, ByteBuf in) {
    refusals = MAX_REFUSALS;
    in.skipBytes(in.readableBytes());
    closeAfterAnswers(context);
  }

  private static void answer(ChannelHandlerContext context, String line) {
    context.writeAndFlush(Unpooled.copiedBuffer(line + "\r\n", US_ASCII));
  }

  private static void closeAfterAnswers(ChannelHandlerContext context) {
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }
}
