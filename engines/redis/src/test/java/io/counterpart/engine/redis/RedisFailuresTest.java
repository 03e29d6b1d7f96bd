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

  @Test
  void what_a_script_of_an_older_server_has_met_may_pass_too() {
    JedisDataException full =
        new JedisDataException(
            "ERR Error running script (call to f_1e84): @user_script:16: @user_script: 16: -OOM"
                + " command not allowed when used memory > 'maxmemory'.");

    assertThat(RedisFailures.isPassing(full)).isTrue();
    assertThat(RedisFailures.isPassing(new JedisDataException("ERR no such thing: -OOM")))
        .isFalse();
  }
}
