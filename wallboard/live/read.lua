-- The whole feed as one cut: whether it was ever built, its values, and its log (oldest first).
-- KEYS  versions, values, log, removed, built
return {
  redis.call('EXISTS', KEYS[5]),
  redis.call('HGETALL', KEYS[2]),
  redis.call('XRANGE', KEYS[3], '-', '+'),
}
