// Names of fields that hold a time or a duration. Two runs never have the same times.

/** `started_at_ms`, `durationMs`, `timestamp`, `secs`; not `timeout`. */
const TIME_KEY =
  /(?:^|_)(?:timestamp|time|date|duration|elapsed|secs|nanos)(?:$|_)|(?:timestamp|duration|elapsed|time|total|started|ended)_?ms$|(?:time|timestamp|duration|elapsed)$|_at(?:_ms)?$/iu;
/** `updatedAt`; not `format`. */
const CAMEL_AT = /[a-z]At(?:Ms)?$/u;

/** Results by key: traces have few keys and repeat them. */
const known = new Map<string, boolean>();
const MAX_KEYS = 10_000;

/** True if a field of this name holds a time or a duration. */
export function isTimeKey(key: string): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const isTime = TIME_KEY.test(key) || CAMEL_AT.test(key);
  if (known.size < MAX_KEYS) known.set(key, isTime);
  return isTime;
}
