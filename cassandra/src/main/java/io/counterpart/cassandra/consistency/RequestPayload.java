package io.counterpart.cassandra.consistency;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.RequestWish;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * Custom payloads of the native protocol, from version 4 on: wishes of requests, and the level that
 * was used, for clients. Every driver hands a response's payload to its caller; warnings would fill
 * the logs of applications, since drivers log them.
 */
final class RequestPayload {
  /** The level that a read was made at. */
  static final String LEVEL = "cr_level";

  /** Why. */
  static final String REASON = "cr_reason";

  private static final List<String> WISHES =
      List.of(RequestWish.STRICT, RequestWish.MAX_STALE, RequestWish.DEADLINE);

  private RequestPayload() {}

  /**
   * The request's wishes.
   *
   * @throws InvalidRequestException with key, value and legal range
   */
  static RequestWish wish(@Nullable Map<String, ByteBuffer> payload) {
    if (payload == null) {
      return RequestWish.NONE;
    }
    Map<String, String> text = new HashMap<>();
    for (String key : WISHES) {
      ByteBuffer value = payload.get(key);
      if (value != null) {
        text.put(key, UTF_8.decode(value.duplicate()).toString());
      }
    }
    try {
      return RequestWish.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException("request payload: " + e.getMessage());
    }
  }

  /** Tells the client, beside what other handlers tell it. */
  static void report(ResultMessage result, LevelDecision decision, ProtocolVersion version) {
    if (version.isSmallerThan(ProtocolVersion.V4)) {
      return;
    }
    Map<String, ByteBuffer> payload = new HashMap<>();
    if (result.getCustomPayload() != null) {
      payload.putAll(result.getCustomPayload());
    }
    payload.put(LEVEL, ByteBufferUtil.bytes(decision.level().name()));
    payload.put(REASON, ByteBufferUtil.bytes(decision.reason().text()));
    result.setCustomPayload(payload);
  }
}
