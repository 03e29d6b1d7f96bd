package io.counterpart.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;

/** What failures say: clients may see it. */
class RedisFailuresTest {

  @Test
  void arguments_of_commands_are_left_out() {
    JedisDataException refused =
        new JedisDataException(
            "ERR unknown command 'AUTH', with args beginning with: 'user' 'secret' ");

    assertThat(RedisFailures.failed("redis://db1:6379", refused))
        .hasMessage("redis://db1:6379: ERR unknown command 'AUTH'");
  }
}
