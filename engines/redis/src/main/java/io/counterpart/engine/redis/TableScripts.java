package io.counterpart.engine.redis;

/**
 * The scripts of a table. KEYS are its sorted set, whose members have the score 0 and so are in the
 * order of their bytes, and its hash of values.
 *
 * <p>Field {@code ""} of the hash, which no entry can have, is the store's <em>write number</em>. A
 * store without it has been lost by its server, and every call finds that out.
 *
 * <p>The number fences off what is late. A write whose answer did not come may still be on its way,
 * in a buffer of either machine, and may arrive after its repetition and after later writes. So
 * every attempt has a higher number, and one whose number is not above the last one's changes
 * nothing. A process that opens the store goes far ahead, beyond the attempts of the one before it
 * that are on their way.
 */
final class TableScripts {
  private TableScripts() {}

  /** The field of the write number. */
  static final byte[] NUMBER = new byte[0];

  /** The answers of {@link #WRITE}. */
  static final long WRITTEN = 1;

  static final long STALE = 0;
  static final long LOST = -1;

  /** Of {@link #OPEN}: the number has changed since it was read. */
  static final long CHANGED = -2;

  /**
   * Takes a new write number. ARGV: 1 if the store must be there already; the number that was read,
   * or nothing: a call that arrives late, after another one, takes no number; the number that the
   * server has answered for. It needs no memory, as {@link #WRITE} explains.
   */
  static final Script OPEN =
      new Script(
          """
          local number = redis.call('HGET', KEYS[2], '') or ''
          if number == '' and ARGV[1] == '1'
              or number ~= '' and tonumber(number) < tonumber(ARGV[3]) then
            return -1
          end
          if ARGV[2] ~= number then
            return -2
          end
          redis.call('ZREM', KEYS[1], '')
          return redis.call('HINCRBY', KEYS[2], '', 1048576)
          """);

  /**
   * Applies a batch. ARGV: write number, the number that the server has answered for, 1 to clear or
   * 2 if the batch takes no memory, number of puts, key and value of each put, keys to delete; no
   * key twice.
   *
   * <p>A script at a server without memory fails at its first command that takes some, unless it
   * has written before. So what takes memory comes first, and such a batch fails as a whole; a
   * batch that only deletes or clears is let through. One that takes none begins by removing what
   * is not there, and with its deletions.
   */
  static final Script WRITE =
      new Script(
          """
          local order, values, mine = KEYS[1], KEYS[2], ARGV[1]
          local number = redis.call('HGET', values, '')
          if not number or tonumber(number) < tonumber(ARGV[2]) then
            return -1
          end
          if tonumber(number) >= tonumber(mine) then
            return 0
          end
          local last = 4 + 2 * tonumber(ARGV[4])
          local function put()
            local first = 5
            while first <= last do
              local to = math.min(last, first + 1999)
              if redis.call('HSET', values, unpack(ARGV, first, to)) > 0 then
                local members = {}
                for i = first, to, 2 do
                  members[#members + 1] = '0'
                  members[#members + 1] = ARGV[i]
                end
                redis.call('ZADD', order, unpack(members))
              end
              first = to + 1
            end
          end
          local function delete()
            local first = last + 1
            while first <= #ARGV do
              local to = math.min(#ARGV, first + 1999)
              redis.call('HDEL', values, unpack(ARGV, first, to))
              redis.call('ZREM', order, unpack(ARGV, first, to))
              first = to + 1
            end
          end
          if ARGV[3] == '2' then
            redis.call('ZREM', order, '')
            delete()
            put()
          else
            if ARGV[3] == '1' then
              redis.call('UNLINK', order, values)
            end
            put()
            delete()
          end
          redis.call('HSET', values, '', mine)
          return 1
          """);

  /**
   * Reads a page. ARGV: command, its two bounds, most entries, most bytes, the number that the
   * server has answered for. The answer is nothing if the store is lost, also in part, else 1 for
   * the last page or 0, then keys and values.
   */
  static final Script PAGE =
      new Script(
          """
          local number = redis.call('HGET', KEYS[2], '')
          if not number or tonumber(number) < tonumber(ARGV[6])
              or redis.call('ZCARD', KEYS[1]) + 1 ~= redis.call('HLEN', KEYS[2]) then
            return false
          end
          local most, bytes = tonumber(ARGV[4]), tonumber(ARGV[5])
          local keys = redis.call(ARGV[1], KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, most + 1)
          local page = {'1'}
          for i, key in ipairs(keys) do
            if i > most or bytes <= 0 then
              page[1] = '0'
              break
            end
            local value = redis.call('HGET', KEYS[2], key)
            if not value then
              return redis.error_reply('ERR a key of the sorted set has no value in the hash')
            end
            page[2 * i] = key
            page[2 * i + 1] = value
            bytes = bytes - #key - #value
          end
          return page
          """);
}
