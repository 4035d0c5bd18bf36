-- What a feed holds that is newer than entry ARGV[1], as one cut. KEYS as in publish.lua.
-- Gives {0} for a feed that was never built, {1} where nothing is newer, {2, newest id, changes} with the newest value of
-- every key that changed ("" where removed), and {3, newest id, all values} where the log does not hold that entry.
if redis.call('EXISTS', KEYS[5]) == 0 then return {0} end
local newest = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
local position = newest and newest[1] or ''
if ARGV[1] ~= '' then
  if position == ARGV[1] then return {1} end
  local entries = redis.call('XRANGE', KEYS[3], ARGV[1], '+')
  if entries[1] and entries[1][1] == ARGV[1] then
    local seen, changes = {}, {}
    for i = 2, #entries do
      for _, key in ipairs(cjson.decode(entries[i][2][2])) do
        if not seen[key] then
          seen[key] = true
          changes[#changes + 1] = key
          changes[#changes + 1] = redis.call('HGET', KEYS[2], key) or ''
        end
      end
    end
    return {2, position, changes}
  end
end
return {3, position, redis.call('HGETALL', KEYS[2])}
