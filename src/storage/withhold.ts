// Values that look secret are not written to the browser's database: it keeps that they were given.
import { looksSecret } from '../lib/secrets/names.ts';

interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly withheld?: readonly string[];
}

/** The launch without those values; `withheld` names them. */
export function withhold<T extends Started>(launch: T): T {
  const variables = Object.entries(launch.env).map(([name, value]) => ({ name, value }));
  const secret = variables.filter(looksSecret).map(({ name }) => name);
  if (secret.length === 0) return launch;
  const rest = variables.filter((variable) => !looksSecret(variable));
  return {
    ...launch,
    env: Object.fromEntries(rest.map(({ name, value }) => [name, value])),
    withheld: [...new Set([...(launch.withheld ?? []), ...secret])],
  };
}
