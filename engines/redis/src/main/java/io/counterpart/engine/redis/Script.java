package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A Lua script, which a server runs alone: no other client sees or changes anything meanwhile.
 * Immutable.
 */
final class Script {
  private final String text;
  private final String digest;

  Script(String text) {
    this.text = text;
    this.digest = digest(text);
  }

  private static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-1", impossible);
    }
  }

  /** Runs by digest; a server that was restarted needs the text again. */
  @Nullable Object run(Connection connection, List<byte[]> keys, List<byte[]> arguments) {
    try {
      return connection.executeCommand(call(Protocol.Command.EVALSHA, digest, keys, arguments));
    } catch (JedisNoScriptException unknown) {
      return connection.executeCommand(call(Protocol.Command.EVAL, text, keys, arguments));
    }
  }

  /** Runs a script whose answer is a number. */
  long number(Connection connection, List<byte[]> keys, List<byte[]> arguments) {
    if (run(connection, keys, arguments) instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("a script answered no number: " + text);
  }

  private static CommandArguments call(
      Protocol.Command command, String script, List<byte[]> keys, List<byte[]> arguments) {
    CommandArguments call = new CommandArguments(command).add(script).add(keys.size());
    keys.forEach(call::add);
    arguments.forEach(call::add);
    return call;
  }
}
