// Names that say a secret follows: of variables, of keys in JSON, of headers, options and parameters.
import type { Variable } from '../variables.ts';

// By its end, so that what names a program or a file, such as GIT_ASKPASS or TOKEN_FILE, is none.
const SECRET_VARIABLE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|_AUTH|_PWD|_PAT)$/i;
const SECRET_VALUE =
  /^(?:sk-|gh[opsu]_|github_pat_|glpat-|npm_|xox[abp]-|AKIA|AIza|eyJ[\w-]+\.|Bearer |Basic )/;

// What the loader of the system, an interpreter, a shell, Git or npm reads to find code, or options that name code.
const LOADERS = [
  ...['_?LD_\\w*', '_RLD\\w*', 'DYLD_\\w*', 'GCONV_\\w*', 'GLIBC_\\w*', 'MALLOC_\\w*', 'GIT_\\w*'],
  ...['npm_config_.*', 'COREPACK_\\w*', 'NODE_(?:REPL_EXTERNAL_MODULE|TLS_REJECT_UNAUTHORIZED)'],
  ...['BUN_INSTALL', 'DENO_DIR', 'TS_NODE_\\w*', 'ELECTRON_\\w*', 'VSCODE_\\w*', 'PYTHON\\w*'],
  ...[
    'VIRTUAL_ENV',
    'CONDA_\\w*',
    'RUBY\\w*',
    'GEM_\\w*',
    'BUNDLE_GEMFILE',
    'PERL\\w*',
    'LUA_\\w*',
    'PHPRC',
  ],
  ...[
    'PHP_INI_SCAN_DIR',
    'R_(?:PROFILE|ENVIRON)\\w*',
    '_?JAVA_\\w*',
    'JDK_\\w*',
    'JRE_\\w*',
    'DOTNET_\\w*',
  ],
  ...[
    'COMPLUS_\\w*',
    'COR_\\w*',
    'CORECLR_\\w*',
    'RUSTC?_?WRAPPER',
    'RUSTC',
    'CARGO_HOME',
    'GOENV',
    'GOROOT',
  ],
  ...[
    'CC',
    'CXX',
    'OPENSSL_\\w*',
    'SHELL',
    'SHELLOPTS',
    'BASHOPTS',
    'BASH_\\w*',
    'ENV',
    'ZDOTDIR',
    'IFS',
  ],
  ...[
    'PROMPT_COMMAND',
    'PS[0-4]',
    'COMSPEC',
    'PATHEXT',
    'SYSTEMROOT',
    'WINDIR',
    'SYSTEMDRIVE',
    'PSMODULE\\w*',
  ],
  ...[
    'HOME',
    'USERPROFILE',
    'XDG_\\w*',
    'APPDATA',
    'LOCALAPPDATA',
    'EDITOR',
    'VISUAL',
    'PAGER',
    'BROWSER',
  ],
  ...[
    'LESSOPEN',
    'LESSCLOSE',
    'SSH_(?:ASKPASS\\w*|AUTH_SOCK)',
    'SUDO_ASKPASS',
    'DISPLAY',
    'TERMINFO\\w*',
  ],
];
/** By the end of a name: where code is looked for, what is run, where it connects to, and whom it trusts there. */
const LOADER_ENDS = [
  ...[
    'PATHS?',
    'OPTIONS',
    'OPTS?',
    'FLAGS',
    'HOOKS?',
    'PRELOAD',
    'COMMAND',
    'CMD',
    'EDITOR',
    'PAGER',
    'ASKPASS',
  ],
  ...[
    '_PROXY',
    '_URL',
    '_URI',
    '_HOST',
    '_ENDPOINT',
    '_CERTS?',
    '_CERT_(?:FILE|DIR)',
    '_CA_BUNDLE',
    '_CAINFO',
  ],
  ...['_HOME', '_DIR', '_FILE', '_CONFIG', 'APPLICATION_CREDENTIALS'],
];
const LOADER = new RegExp(`^(?:${LOADERS.join('|')}|.*(?:${LOADER_ENDS.join('|')}))$`, 'is');

/** Whether a variable of this name decides which code runs, or to whom it connects. Its value is never kept from view. */
export function decidesWhatRuns(name: string): boolean {
  return LOADER.test(name);
}

/**
 * Whether a variable is a secret by its name alone: whoever asks what may run must be shown the value of any
 * other, because its beginning may look like a secret while the rest is a path.
 */
export function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLE.test(name) && !decidesWhatRuns(name);
}

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
