// Values that look secret are not written to the browser's database: it keeps that they were given.
import { isPlainHeader, looksSecret } from '../lib/secrets/names.ts';
import type { Variable } from '../lib/variables.ts';

type Values = Readonly<Record<string, string>>;

interface Started {
  readonly env: Values;
  readonly headers?: Values;
  readonly withheld?: readonly string[];
}

/** The launch without those values; `withheld` names them. */
export function withhold<T extends Started>(launch: T): T {
  const { env, headers = {}, withheld = [] } = launch;
  const kept = {
    env: parted(env, looksSecret),
    headers: parted(headers, ({ name }) => !isPlainHeader(name)),
  };
  const secret = [...kept.env.secret, ...kept.headers.secret];
  if (secret.length === 0) return launch;
  return {
    ...launch,
    env: kept.env.rest,
    ...(launch.headers && { headers: kept.headers.rest }),
    withheld: [...new Set([...withheld, ...secret])],
  };
}

function parted(values: Values, isSecret: (value: Variable) => boolean) {
  const all = Object.entries(values);
  const hides = ([name, value]: [string, string]) => isSecret({ name, value });
  return {
    secret: all.filter(hides).map(([name]) => name),
    rest: Object.fromEntries(all.filter((one) => !hides(one))),
  };
}
