-- The time by the clock of the server that holds KEYS[1]: of a cluster always the same one.
return redis.call('TIME')
