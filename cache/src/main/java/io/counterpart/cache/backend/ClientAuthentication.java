package io.counterpart.cache.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a user and its password before anything else, and takes the answer out of the stream. Ends
 * the connection with an exception if they are refused. Belongs to the connection's event loop.
 */
final class ClientAuthentication extends ByteToMessageDecoder {
  private static final Logger logger = LoggerFactory.getLogger(ClientAuthentication.class);
  private static final String ACCEPTED = "STORED";

  private final String token;

  ClientAuthentication(String token) {
    this.token = token;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    byte[] value = token.getBytes(UTF_8);
    String command = "set auth 0 0 %d\r\n".formatted(value.length);
    context.writeAndFlush(
        Unpooled.wrappedBuffer(command.getBytes(ISO_8859_1), value, new byte[] {'\r', '\n'}));
    super.channelActive(context);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
    if (end < 0) {
      return;
    }
    String answer = in.readCharSequence(end - in.readerIndex(), ISO_8859_1).toString().strip();
    in.skipBytes(1);
    if (answer.equals(ACCEPTED)) {
      context.pipeline().remove(this); // passes on the bytes behind it
    } else {
      logger.warn("{} refuses the password: {}", context.channel().remoteAddress(), answer);
      throw new DecoderException("refuses the password: " + answer);
    }
  }
}
