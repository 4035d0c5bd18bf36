-- What a feed holds, without moving its values: whether it was ever built, each key's version, and for each key that has
-- a value the SHA-1 of it. Looking keeps the feed alive. KEYS as in publish.lua; ARGV: seconds the feed lives.
for _, name in ipairs(KEYS) do redis.call('EXPIRE', name, ARGV[1]) end
local digests = redis.call('HGETALL', KEYS[2])
for i = 2, #digests, 2 do digests[i] = redis.sha1hex(digests[i]) end
return {redis.call('EXISTS', KEYS[5]), redis.call('HGETALL', KEYS[1]), digests}
