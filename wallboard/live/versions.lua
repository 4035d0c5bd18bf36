-- What a feed holds without its values: whether it was ever built, each key's version, and the keys that have a value.
-- Looking keeps the feed alive. KEYS as in publish.lua; ARGV: seconds the feed lives.
for _, name in ipairs(KEYS) do redis.call('EXPIRE', name, ARGV[1]) end
return {
  redis.call('EXISTS', KEYS[5]),
  redis.call('HGETALL', KEYS[1]),
  redis.call('HKEYS', KEYS[2]),
}
