-- What a feed holds in a few bytes, to see whether it changed. Looking keeps the feed alive.
-- KEYS  as in publish.lua, then the mark that somebody set when the feed was equal to the database
-- ARGV  seconds the feed lives, then the beginnings of keys of which each version and digest is told by itself
-- Gives whether the feed was ever built, the mark, one SHA-1 of all other documents with their versions, and key,
-- version and SHA-1 of each that is told by itself.
for _, name in ipairs(KEYS) do redis.call('EXPIRE', name, ARGV[1]) end
local versions, values = redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])
local version_of, told, rest = {}, {}, {}
for i = 1, #versions, 2 do version_of[versions[i]] = versions[i + 1] end

local function is_told(key)
  for i = 2, #ARGV do
    if string.sub(key, 1, #ARGV[i]) == ARGV[i] then return true end
  end
  return false
end

for i = 1, #values, 2 do
  local key, value = values[i], values[i + 1]
  local part = is_told(key) and told or rest
  part[#part + 1] = key
  part[#part + 1] = version_of[key] or ''
  part[#part + 1] = part == told and redis.sha1hex(value) or value
end
local digest = redis.sha1hex(table.concat(rest, '\0'))
return {redis.call('EXISTS', KEYS[5]), redis.call('GET', KEYS[6]) or '', digest, told}
