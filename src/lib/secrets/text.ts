// Secrets in text that has no structure we know: prose, commands, logs, code, addresses. Each pattern begins
// with a word or sign that is rare, and repeats within bounds, so that no text makes it slow.
import { isLogin, isPlainHeader, isSecretName } from './names.ts';

// Tokens of services, known by their first letters.

/** Six signs between dots. */
const DOTTED = '\\.[\\w-]{6}\\.';

/** What stands in each of them, and how it looks: the pattern costs more than to look for that. */
const TOKENS: readonly (readonly [marks: readonly string[], pattern: string])[] = [
  // Model providers.
  [['sk-'], 'sk-ant-[\\w-]{8,}'],
  [['sk-'], 'sk-(?=[\\w-]{0,80}\\d)[\\w-]{16,}'],
  [['gsk_'], 'gsk_[A-Za-z0-9]{20,}'],
  [['xai-'], 'xai-[A-Za-z0-9]{20,}'],
  [['pplx-'], 'pplx-[A-Za-z0-9]{20,}'],
  [['nvapi-'], 'nvapi-[\\w-]{20,}'],
  [['r8_'], 'r8_[A-Za-z0-9]{20,}'],
  [['hf_'], 'hf_[A-Za-z0-9]{20,}'],
  [['fw_'], 'fw_[A-Za-z0-9]{24}'],
  [['lsv2_'], 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'],
  [['e2b_'], 'e2b_[0-9a-f]{40}'],
  [['tvly-'], 'tvly-[\\w-]{20,}'],
  [['fc-'], 'fc-[0-9a-f]{32}'],
  // Code hosts and package registries.
  [['gh'], 'gh[oprsu]_[A-Za-z0-9]{16,}'],
  [['github_pat_'], 'github_pat_\\w{16,}'],
  [['gl'], 'gl(?:pat|ptt|dt|rt|soat|cbt|ft|agent|imt)-[\\w-]{16,}'],
  [['npm_'], 'npm_[A-Za-z0-9]{20,}'],
  [['pypi-'], 'pypi-[\\w-]{30,}'],
  [['rubygems_'], 'rubygems_[0-9a-f]{40,}'],
  [['dckr_pat_'], 'dckr_pat_[\\w-]{20,}'],
  [['CCIPAT_'], 'CCIPAT_\\w{20,}'],
  [['ATATT3'], 'ATATT3[\\w=-]{30,}'],
  [['ATBB'], 'ATBB[A-Za-z0-9]{28,}'],
  [['CLOJARS_'], 'CLOJARS_[0-9a-f]{60}'],
  [['oy2'], 'oy2[a-z0-9]{43}'],
  [['cio'], 'cio[A-Za-z0-9]{32}'],
  // Clouds.
  [
    ['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'ABIA'],
    '(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA)[A-Z0-9]{16}',
  ],
  [['AIza'], 'AIza[\\w-]{30,}'],
  [['ya29.'], 'ya29\\.[\\w-]{20,}'],
  [['GOCSPX-'], 'GOCSPX-[\\w-]{20,}'],
  [['_v1_'], 'do[opr]_v1_[0-9a-f]{32,}'],
  [['hv'], 'hv[sbr]\\.[\\w-]{20,}'],
  [['tskey-'], 'tskey-[\\w-]{16,}'],
  [['dapi'], 'dapi[0-9a-f]{32}'],
  [['sbp_'], 'sbp_[0-9a-f]{32,}'],
  [['dp.'], 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}'],
  [['pscale_'], 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,}'],
  [['fm1_', 'fm2_'], 'fm[12]_[\\w+/=-]{40,}'],
  [['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1[A-Z0-9]{40,}'],
  // Services.
  [['xox'], 'xox[abeoprs]-[\\w-]{10,}'],
  [['xapp-'], 'xapp-[\\w-]{20,}'],
  [['_live_', '_test_'], '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}'],
  [['whsec_'], 'whsec_[A-Za-z0-9+/=]{20,}'],
  [['SG.'], 'SG\\.[\\w-]{16,80}\\.[\\w-]{16,}'],
  [['key-'], 'key-[0-9a-f]{32}'],
  [['shp'], 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  [['lin_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{30,}'],
  [['ntn_', 'secret_'], '(?:ntn|secret)_[A-Za-z0-9]{43,}'],
  [['sntr'], 'sntr[yu]s_[\\w=+/-]{30,}'],
  [['glsa_'], 'glsa_\\w{30,}'],
  [['glc_'], 'glc_eyJ[\\w+/=-]{20,}'],
  [['phc_', 'phx_'], 'ph[cx]_[A-Za-z0-9]{30,}'],
  [['figd_'], 'figd_[\\w-]{20,}'],
  [['PMAK-'], 'PMAK-[0-9a-f-]{50,}'],
  [['NRAK-'], 'NRAK-[A-Z0-9]{20,}'],
  [['sq0'], 'sq0(?:atp|csp)-[\\w-]{20,}'],
  [['ops_eyJ'], 'ops_eyJ[\\w-]{40,}'],
  [['SK'], 'SK[0-9a-f]{32}'],
  [['webhooks/'], '(?<=webhooks/)\\d{17,20}/[\\w-]{60,}'],
  [['/B'], 'T[A-Z0-9]{8,10}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,}'],
  [[':AA'], '\\d{8,10}:AA[\\w-]{30,}'],
  [['.'], `[MN][A-Za-z\\d]{23,26}${DOTTED}[\\w-]{27,}`],
  // What a password was made into, in files of systems and servers.
  [
    ['$1$', '$5$', '$6$', '$y$', '$apr1$', '$2', '$argon2'],
    '\\$(?:[156y]|apr1|2[abxy]|argon2id?)\\$[\\w./$=,+-]{20,}',
  ],
  // A signed token of three parts; the last may be missing.
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?'],
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.[\\w-]{8,4000}\\.[\\w-]{8,}'],
  // The same, once more in base64.
  [['ZXlK'], 'ZXlK[\\w+/-]{40,}={0,2}'],
];

/** No letter stands before it, but for the end of a colour of a terminal and of an escaped sign. */
const BEFORE = '(?:(?<![A-Za-z0-9])|(?<=\\u001b\\[[\\d;]{0,12}m)|(?<=\\\\[nrt]))';

const PATTERNS = TOKENS.map(([marks, pattern]) => ({
  marks,
  pattern: new RegExp(`${BEFORE}(?:${pattern})`, 'g'),
}));

/** No token is shorter. */
const SHORTEST = 15;
/** One of their marks, at a cost that does not grow with them; a dot alone stands in every text. */
const MARKED = new RegExp(
  TOKENS.flatMap(([marks]) => marks)
    .map((mark) => (mark === '.' ? DOTTED : mark.replace(/[.$]/g, '\\$&')))
    .join('|'),
);

/** Patterns of tokens that the text may hold; stateful, so that a reader sets `lastIndex`. */
function tokenPatterns(text: string): readonly RegExp[] {
  if (text.length < SHORTEST || !MARKED.test(text)) return [];
  return PATTERNS.flatMap(({ marks, pattern }) =>
    marks.some((mark) => text.includes(mark)) ? [pattern] : [],
  );
}

/** What told that it is a secret. */
export type TextRule = 'token' | 'private-key' | 'authorization' | 'url' | 'assignment';

export interface SecretSpan<R extends string = TextRule> {
  readonly start: number;
  readonly end: number;
  readonly rule: R;
}

/** Parameters that sign an address: who has it, may. */
const SIGNATURE =
  /^(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-signature|code|auth|key|hmac)$/i;
const NAME = /[\w.-]/;
const LONGEST_NAME = 80;
const BARE = /[^\s"'`,;{}()<>[\]\\‹›…&|]{4,400}/y;
/** Words that stand for a value: of a type, a variable, a template. */
const STAND_IN =
  /^(?:\$|%|<|\{|\*+$|x{4,}$|\.{3}|your|process\.|env\.|os\.|import\.|config\.|self\.|this\.|string|number|boolean|undefined|null|none|true|false|object|any|required|optional|redacted)/i;

type Place = readonly [start: number, end: number] | undefined;

interface Telling {
  /** One of these stands in what the pattern matches, in small letters: to look for a word costs a tenth of it. */
  readonly words: readonly string[];
  readonly pattern: RegExp;
  readonly rule: TextRule;
  /** Where in it the secret stands; absent, the last of its groups that matched. */
  readonly is?: (match: RegExpExecArray, text: string) => Place;
}

/** What says by what stands before it that a secret follows. */
const TELLING: readonly Telling[] = [
  {
    words: ['private key'],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,16000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{0,16000})/g,
    rule: 'private-key',
    is: whole,
  },
  // In its header a credential may be all letters, or have a scheme of its own.
  {
    words: ['authorization'],
    pattern:
      /authorization\\*["']?\s{0,3}[:=]\s{0,3}\\*["'`]?(?:digest\s{1,3}([^\r\n\\]{20,1000})|(?:bearer|basic|token)\s{1,3}([\w.~+/-]{10,}={0,2})(?! [a-z]))/gi,
    rule: 'authorization',
  },
  {
    words: ['bearer', 'basic', 'digest', 'negotiate', 'apikey'],
    pattern:
      /(?<![A-Za-z0-9])(?:bearer|basic|digest|negotiate|apikey)(?:\s{1,3}|%20|\+)([\w.~+/-]{8,}={0,2})/gi,
    rule: 'authorization',
    is: (match) => (isCredential(match[1]) ? last(match) : undefined),
  },
  {
    words: ['://'],
    pattern: /(?<=[A-Za-z0-9]:\/\/)([^\s/?#@"'`<>\\‹›…]{1,300})@(?=[\w[])/g,
    rule: 'url',
    is: (match) => [match.index, match.index + (match[1]?.length ?? 0)],
  },
  {
    words: ['='],
    pattern: /(?<=[?&;#])([\w.~%[\]-]{1,60})=([^\s&;#"'`<>\\‹›…]{3,})/g,
    rule: 'url',
    is: parameter,
  },
  // In an address that is a parameter of another.
  {
    words: ['%3d'],
    pattern: /(?<=%3f|%26)([\w.~-]{1,60})%3d([^\s%&;#"'`<>\\‹›…]{3,})/gi,
    rule: 'url',
    is: parameter,
  },
  {
    words: ['cookie'],
    pattern: /(?<![\w])(?:set-)?cookie\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?([^\r\n"'\\‹›…]{4,})/gi,
    rule: 'authorization',
  },
  // Options of a command, in words and in single letters.
  {
    words: ['-u'],
    pattern: /(?<=\s)(?:-u|--user|--proxy-user)(?:=|\s{0,3})["']?[\w.@-]{1,80}:([^\s"'\\‹›…]{3,})/g,
    rule: 'authorization',
  },
  {
    words: [' -p'],
    pattern:
      /(?<![\w-])(?:sshpass\s{1,3}-p|(?:docker|podman|helm|oras|skopeo)\s[^\r\n|;&]{0,40}login\s(?:[^\r\n|;&]{0,200}\s)?-p|(?:mysql|mariadb)[\w-]{0,12}\s(?:[^\r\n|;&]{0,200}\s)?-p(?!\s))\s{0,3}["']?([^\s"'\\‹›…]{4,})/g,
    rule: 'authorization',
    is: unlessStandIn,
  },
  // A .netrc, and what `docker login` and `npm login` keep: user and password in base64.
  {
    words: ['login'],
    pattern: /\blogin\s{1,9}\S{1,80}\s{1,9}password\s{1,9}([^\s"\\‹›…]{3,})/g,
    rule: 'authorization',
  },
  {
    words: ['auth"', "auth'", 'auth=', 'auth:', 'auth ', 'auth\\'],
    pattern: /(?<![A-Za-z0-9])_?auth\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?([A-Za-z0-9+/]{8,}={0,2})/g,
    rule: 'authorization',
    is: (match) => (isLogin(match[1]) ? last(match) : undefined),
  },
  // Variables as shells and image files set them without a sign between, and elements.
  {
    words: ['set -', 'setx ', 'env ', 'arg '],
    pattern:
      /(?<![\w-])(?:set -\w{1,6}|setx|ENV|ARG) \s{0,3}(\w{3,60})\s{1,3}["']?([^\s"'\\‹›…]{4,})/g,
    rule: 'assignment',
    is: named,
  },
  {
    words: ['</'],
    pattern: /<([\w.:-]{3,60})>([^<>\s‹›…]{3,400})(?=<\/\1>)/g,
    rule: 'assignment',
    is: named,
  },
  // A person tells it.
  {
    words: [
      'password is',
      'passwd is',
      'passphrase is',
      'api key is',
      'api-key is',
      'token is',
      'secret is',
    ],
    pattern:
      /(?<![\w-])(?:passw(?:or)?d|passphrase|api[ -]key|token|secret) is:?\s{1,3}["'`]?([^\s"'`,;\\‹›…]{5,})/gi,
    rule: 'assignment',
    is: (match) => (isTelling(match[1] ?? '') ? unlessStandIn(match) : undefined),
  },
  // What ends a name of a secret, what says that its value follows, and how that begins.
  {
    words: ['key', 'token', 'secret', 'pass', 'credential', 'pwd', 'pat', 'auth', 'jwt'],
    pattern:
      /(?:key|token|secret|passw(?:or)?d|passphrase|credentials?|pwd|pat|auth(?:orization)?|pass|jwt)\\*["'`]?\]?(?:\s{0,3}(?:=>|:=|=|:)\s{0,3}|(?<=--?[\w-]{1,60})\s{1,3})(\\*["'`])?(?![\s"'`])/gi,
    rule: 'assignment',
    is: assigned,
  },
];

/** Any of their words: most texts of a trace have none. */
const ANY = new RegExp(TELLING.flatMap(({ words }) => words).join('|'));

/** In order, none over another where they are of one rule. */
export function secretsIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  if (text.length < 6) return found;
  const each = (pattern: RegExp, rule: TextRule, is: NonNullable<Telling['is']>) => {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const place = is(match, text);
      if (!place) continue;
      found.push({ start: place[0], end: place[1], rule });
      // On behind it, so that what looks like a beginning inside is not read once more.
      pattern.lastIndex = Math.max(place[1], match.index + 1);
    }
  };
  for (const pattern of tokenPatterns(text)) each(pattern, 'token', whole);
  const lower = text.toLowerCase();
  if (ANY.test(lower))
    for (const { words, pattern, rule, is = last } of TELLING)
      if (words.some((word) => lower.includes(word))) each(pattern, rule, is);
  return found.sort((a, b) => a.start - b.start);
}

function whole(match: RegExpExecArray): Place {
  return [match.index, match.index + match[0].length];
}

/** The last group that matched, which ends where the match does. */
function last(match: RegExpExecArray): Place {
  const part = match.findLast((group) => (group as string | undefined) !== undefined) ?? '';
  const end = match.index + match[0].length;
  return [end - part.length, end];
}

function unlessStandIn(match: RegExpExecArray): Place {
  const place = last(match);
  return place && STAND_IN.test(match[0].slice(place[0] - match.index)) ? undefined : place;
}

function parameter(match: RegExpExecArray): Place {
  const [, name = ''] = match;
  return isSecretName(name) || SIGNATURE.test(name) ? unlessStandIn(match) : undefined;
}

/** A name and its value. */
function named(match: RegExpExecArray): Place {
  return isSecretName(match[1] ?? '') ? unlessStandIn(match) : undefined;
}

/** After `Basic` or `Bearer` a word of prose may follow. */
function isCredential(value = ''): boolean {
  return /\d/.test(value) || /=$/.test(value) || (value.length >= 20 && /[a-z][A-Z]/.test(value));
}

/** In code and prose any word may follow; this is none. */
function isTelling(value: string): boolean {
  return value.length >= 6 && (/\d/.test(value) || /=$/.test(value)) && /[A-Za-z]/.test(value);
}

/** The value after a name that ends in `match`, in quotes or bare. */
function assigned(match: RegExpExecArray, text: string): Place {
  const sign = match[0].search(/[\\"'`\s:=\]]/);
  const word = match.index + (sign < 0 ? match[0].length : sign);
  let from = match.index;
  while (from > word - LONGEST_NAME && NAME.test(text[from - 1] ?? '')) from--;
  const bare = text.slice(from, word).replace(/^[^A-Za-z]+/, '');
  if (!isSecretName(bare) || /^key$/i.test(bare) || isPlainHeader(bare)) return undefined;
  const start = match.index + match[0].length;
  const quote = match[1];
  if (quote !== undefined) {
    const end = text.indexOf(quote, start);
    const value = end < 0 ? '' : text.slice(start, end);
    const isIt = value.length >= 4 && value.length <= 400 && !/[\n‹›…]/.test(value);
    return isIt && !STAND_IN.test(value) && !isPlainWord(bare, value) ? [start, end] : undefined;
  }
  BARE.lastIndex = start;
  const value = BARE.exec(text)?.[0].replace(/[.!?:]+$/, '') ?? '';
  if (value.length < 4 || STAND_IN.test(value)) return undefined;
  // A variable in capitals is set to a value, and so is a password on a line that is nothing else.
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(bare) && text[word] === '=';
  const isLine =
    /^passw(?:or)?d$/i.test(bare) &&
    text[word] === '=' &&
    start === word + 1 &&
    /^\n?$/.test(text[from - 1] ?? '') &&
    /^\n?$/.test(text[start + value.length] ?? '');
  return isVariable || isLine || isTelling(value) ? [start, start + value.length] : undefined;
}

/** `"token": "abc"` is a secret, `"token": "Some words of help"` is none. */
function isPlainWord(name: string, value: string): boolean {
  return /\s/.test(value) && !/pass/i.test(name);
}
