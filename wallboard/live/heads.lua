-- Which of these feeds are as somebody knows them, in a few bytes for each.
-- KEYS  the keys "built" and "log" of each feed
-- ARGV  the id of the newest entry that is known of each; "" for one that is not built
-- Gives a text with a "1" for each feed that is so, and a "0" for each that is not.
local same = {}
for i = 1, #ARGV do
  local position = ''
  if redis.call('EXISTS', KEYS[2 * i - 1]) == 1 then
    local newest = redis.call('XREVRANGE', KEYS[2 * i], '+', '-', 'COUNT', 1)[1]
    position = newest and newest[1] or ''
  end
  same[i] = position == ARGV[i] and '1' or '0'
end
return table.concat(same)
