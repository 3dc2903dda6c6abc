// Names that say a secret follows: of variables, of keys in JSON, of headers, options and parameters.
import type { Variable } from '../variables.ts';

// By its end, so that what names a program or a file, such as GIT_ASKPASS or TOKEN_FILE, is none.
export const SECRET_VARIABLE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|_AUTH|_PWD|_PAT)$/i;
const SECRET_VALUE =
  /^(?:sk-|gh[opsu]_|github_pat_|glpat-|npm_|xox[abp]-|AKIA|AIza|eyJ[\w-]+\.|Bearer |Basic )/;

/** Whether the value of a variable is likely a secret, by its name or by its own look; for what is stored or shared. */
export function looksSecret({ name, value }: Variable): boolean {
  return SECRET_VARIABLE.test(name) || SECRET_VALUE.test(value);
}

/** Whether a variable, an option or a parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_VARIABLE.test(name) || isSecretKey(name);
}

const LAST_WORDS: ReadonlySet<string> = new Set([
  ...['token', 'secret', 'secrets', 'password', 'passwd', 'passphrase', 'pwd', 'pat', 'jwt'],
  ...['credential', 'credentials', 'cookie', 'cookies', 'authorization', 'apikey', 'bearer'],
  ...['passcode', 'otp', 'pass'],
]);
/** `token` after one of these is a place, a count or a name, and opens nothing. */
const PLAIN_TOKEN: ReadonlySet<string> = new Set([
  ...['progress', 'page', 'next', 'previous', 'continuation', 'cancel', 'cancellation', 'stop'],
  ...['sync', 'cursor', 'max', 'per', 'special', 'partial', 'work', 'done', 'eos', 'bos', 'pad'],
]);
/** `key` is one that opens something only after one of these. */
const KEY_OF: ReadonlySet<string> = new Set([
  ...['api', 'access', 'private', 'secret', 'auth', 'encryption', 'signing', 'service', 'master'],
  ...['account', 'session', 'ssh', 'subscription', 'license', 'admin', 'deploy', 'shared', 'app'],
  ...['storage', 'client', 'host', 'integration', 'webhook', 'ssl', 'tls', 'functions'],
]);

/** What was said of a key: the same few stand in every frame. */
const SAID = new Map<string, boolean>();
const MOST_SAID = 2000;

/** Whether a key of JSON says so: `apiKey`, `X-Auth-Token`, `db_password`; not `progressToken`, `key`. */
export function isSecretKey(key: string): boolean {
  if (key.length > 80) return false;
  const said = SAID.get(key);
  if (said !== undefined) return said;
  const is = saysSecret(key);
  if (SAID.size < MOST_SAID) SAID.set(key, is);
  return is;
}

function saysSecret(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last === 'key') return KEY_OF.has(before);
  if (last === 'token') return !PLAIN_TOKEN.has(before);
  return LAST_WORDS.has(last) || /(?:(?:api|access|private|secret)key|password)$/.test(last);
}

/** Whether it is user and password in base64, as `docker login` and `npm login` keep them under `auth`. */
export function isLogin(value = ''): boolean {
  try {
    return value.length >= 8 && /^[\w.@+-]{1,80}:[ -~]{2,}$/.test(atob(value));
  } catch {
    return false;
  }
}

const PLAIN_HEADER =
  /^(?:accept|allow|cache-control|connection|content-(?:encoding|length|type)|date|keep-alive|last-event-id|retry-after|server|transfer-encoding|upgrade|user-agent|vary|acp-session-id|acp-protocol-version|sec-websocket-(?:protocol|version))$/i;

/** Whether the value of a header is known to be harmless; all others may be a secret. */
export function isPlainHeader(name: string): boolean {
  return PLAIN_HEADER.test(name);
}

/** Whether a word begins as well-known tokens do. */
export function beginsSecret(word: string): boolean {
  return SECRET_VALUE.test(word);
}
