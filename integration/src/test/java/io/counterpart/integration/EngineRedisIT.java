package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.server.ServerPlace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** A table on a real Redis server. */
@OnUsualPorts
@Timeout(300)
class EngineRedisIT extends EngineOnServer {
  EngineRedisIT() {
    super("redis");
  }

  /** Members of all sorted sets in the keyspace's database. */
  @Override
  protected long entriesOnServer(ServerPlace place, Map<String, String> parameters)
      throws Exception {
    return sum("redis.call('ZCARD', k)", place, parameters);
  }

  /** A sorted set without members is none. */
  @Override
  protected long stores(ServerPlace place, Map<String, String> parameters) throws Exception {
    return sum("1", place, parameters);
  }

  /** Of an expression over all sorted sets k. */
  private long sum(String each, ServerPlace place, Map<String, String> parameters)
      throws Exception {
    String count =
        ("EVAL \"redis.call('SELECT', redis.call('HGET', 'counterpart:keyspaces', '%s')) local n = 0"
                + " for _, k in ipairs(redis.call('KEYS', '*:order')) do n = n + %s end return n\" 0")
            .formatted(keyspace, each);
    try (Socket socket = new Socket(place.address(), place.port())) {
      socket
          .getOutputStream()
          .write("AUTH %s\r\n%s\r\n".formatted(password(parameters), count).getBytes(UTF_8));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(answers.readLine()).isEqualTo("+OK");
      return Long.parseLong(answers.readLine().substring(1));
    }
  }
}
