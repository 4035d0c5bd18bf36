-- Change documents of one feed, remember what changed, and tell everybody who follows, in one step.
-- KEYS  versions, values, log, removed, built
-- ARGV  channel, nonce, length of the log, seconds that removals are remembered, seconds the feed lives,
--       "1" where the whole feed was looked at (it counts as built from now on), PUBLISH or SPUBLISH,
--       then in MessagePack a list of texts, four for each document: key, version, value ("" removes it), expected
--       expected: "newer" takes what is newer than the version held; any other text must equal it ("" = none held)
-- Gives the id of the new entry, or nothing where nobody could see a difference.
local versions, values, log, removed, built = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local channel, nonce, log_length, lives = ARGV[1], ARGV[2], ARGV[3], ARGV[5]
local now = tonumber(redis.call('TIME')[1])
local keys, message = {}, {'', ''}

local function add_change(key, value)
  keys[#keys + 1] = key
  message[#message + 1] = key
  message[#message + 1] = value
end

local function store(key, version, value)
  redis.call('HSET', versions, key, version)
  if value == '' then
    redis.call('ZADD', removed, now, key)
    if redis.call('HDEL', values, key) == 1 then add_change(key, '') end
  else
    redis.call('ZREM', removed, key)
    if redis.call('HGET', values, key) ~= value then
      redis.call('HSET', values, key, value)
      add_change(key, value)
    end
  end
end

local changes = cmsgpack.unpack(ARGV[8])
for i = 1, #changes, 4 do
  local key, version, value, expected = changes[i], changes[i + 1], changes[i + 2], changes[i + 3]
  local held = redis.call('HGET', versions, key)
  local is_due
  if expected == 'newer' then
    is_due = not held or tonumber(version) > tonumber(held)
  else
    is_due = (held or '') == expected
  end
  if is_due then store(key, version, value) end
end

local forgotten = redis.call('ZRANGEBYSCORE', removed, '-inf', now - tonumber(ARGV[4]), 'LIMIT', 0, 200)
for _, key in ipairs(forgotten) do
  redis.call('HDEL', versions, key)
  redis.call('ZREM', removed, key)
end

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local previous = last and last[1] or ''
if ARGV[6] == '1' then redis.call('SET', built, now) end
local id = false
if #keys > 0 or previous == '' then
  id = string.format('%d-%s', (tonumber(string.match(previous, '^%d+')) or 0) + 1, nonce)
  redis.call('XADD', log, 'MAXLEN', log_length, id, 'k', #keys > 0 and cjson.encode(keys) or '[]')
  message[1], message[2] = id, previous
  redis.call(ARGV[7], channel, cjson.encode(message))
end
for _, name in ipairs(KEYS) do redis.call('EXPIRE', name, lives) end
return id
