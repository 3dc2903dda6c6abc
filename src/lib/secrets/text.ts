// Tokens, known by their first letters, and secrets in text that has no structure we know: prose,
// commands, logs, code, addresses. Each pattern begins with a word or sign that is rare, and repeats
// within bounds, so that no text makes it slow.
import { isPlainHeader, isSecretName } from './names.ts';

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
  [['ntn_'], 'ntn_[A-Za-z0-9]{30,}'],
  [['sntr'], 'sntr[yu]s_[\\w=+/-]{30,}'],
  [['glsa_'], 'glsa_\\w{30,}'],
  [['phc_', 'phx_'], 'ph[cx]_[A-Za-z0-9]{30,}'],
  [['figd_'], 'figd_[\\w-]{20,}'],
  [['PMAK-'], 'PMAK-[0-9a-f-]{50,}'],
  [['NRAK-'], 'NRAK-[A-Z0-9]{20,}'],
  [['sq0'], 'sq0(?:atp|csp)-[\\w-]{20,}'],
  [['ops_eyJ'], 'ops_eyJ[\\w-]{40,}'],
  [['/B'], 'T[A-Z0-9]{8,10}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20,}'],
  [[':AA'], '\\d{8,10}:AA[\\w-]{30,}'],
  [['.'], `[MN][A-Za-z\\d]{23,26}${DOTTED}[\\w-]{27,}`],
  // A signed token of three parts; the last may be missing.
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?'],
  [['eyJ'], 'eyJ[\\w-]{8,400}\\.[\\w-]{8,4000}\\.[\\w-]{8,}'],
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
    .map((mark) => (mark === '.' ? DOTTED : mark.replace(/[.]/g, '\\.')))
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

const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,16000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{0,16000})/g;
const SCHEME =
  /(?<![A-Za-z0-9])(?:bearer|basic|digest|negotiate|apikey)(?:\s{1,3}|%20|\+)([\w.~+/-]{8,}={0,2})/gi;
const SCHEMES = ['bearer', 'basic', 'digest', 'negotiate', 'apikey'];
const USERINFO = /(?<=[A-Za-z0-9]:\/\/)([^\s/?#@"'`<>\\‹›…]{1,300})@(?=[\w[])/g;
const PARAMETER = /(?<=[?&;#])([\w.~%[\]-]{1,60})=([^\s&;#"'`<>\\‹›…]{3,})/g;
/** Parameters that sign an address: who has it, may. */
const SIGNATURE =
  /^(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-signature|code|auth|key|hmac)$/i;
const COOKIE = /(?<![\w])(?:set-)?cookie\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?([^\r\n"'\\‹›…]{4,})/gi;
const CREDENTIALS =
  /(?<=\s)(?:-u|--user|--proxy-user)(?:=|\s{1,3})["']?[\w.@-]{1,80}:([^\s"'\\‹›…]{3,})/g;
/** What ends a name of a secret, what says that its value follows, and how that begins. */
const ASSIGNED =
  /(?:key|token|secret|passw(?:or)?d|passphrase|credentials?|pwd|pat|auth(?:orization)?|pass|jwt)\\*["'`]?(?:\s{0,3}(?:=>|:=|=|:)\s{0,3}|(?<=--?[\w-]{1,60})\s{1,3})(\\*["'`])?(?![\s"'`])/gi;
/** One of these stands in what `ASSIGNED` matches. */
const NAMED = ['key', 'token', 'secret', 'pass', 'credential', 'pwd', 'pat', 'auth', 'jwt'];
const NAME = /[\w.-]/;
const LONGEST_NAME = 80;
const BARE = /[^\s"'`,;{}()<>[\]\\‹›…&|]{4,400}/y;
/** Words that stand for a value: of a type, a variable, a template. */
const STAND_IN =
  /^(?:\$|%|<|\*+$|x{4,}$|\.{3}|your|process\.|env\.|os\.|import\.|config\.|self\.|this\.|string|number|boolean|undefined|null|none|true|false|object|any|required|optional|redacted)/i;

/** In order, none over another where they are of one rule. */
export function secretsIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  if (text.length < 6) return found;
  const each = (pattern: RegExp, rule: TextRule, is: (match: RegExpExecArray) => Place) => {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const place = is(match);
      if (!place) continue;
      found.push({ start: place[0], end: place[1], rule });
      // On behind it, so that what looks like a beginning inside is not read once more.
      pattern.lastIndex = Math.max(place[1], match.index + 1);
    }
  };
  if (text.includes('PRIVATE KEY')) each(PRIVATE_KEY, 'private-key', whole);
  for (const pattern of tokenPatterns(text)) each(pattern, 'token', whole);
  // To look for a word costs a tenth of a pattern, and most texts have none of them.
  const lower = text.toLowerCase();
  const has = (word: string) => lower.includes(word);
  if (SCHEMES.some(has))
    each(SCHEME, 'authorization', (match) =>
      isCredential(match[1]) ? last(match, match[1]) : undefined,
    );
  if (text.includes('@') && text.includes('://'))
    each(USERINFO, 'url', (match) => first(match, match[1]));
  if (text.includes('='))
    each(PARAMETER, 'url', (match) => {
      const [, name = '', value = ''] = match;
      return (isSecretName(name) || SIGNATURE.test(name)) && !STAND_IN.test(value)
        ? last(match, value)
        : undefined;
    });
  if (has('cookie')) each(COOKIE, 'authorization', (match) => last(match, match[1]));
  if (text.includes('-u')) each(CREDENTIALS, 'authorization', (match) => last(match, match[1]));
  if (NAMED.some(has)) each(ASSIGNED, 'assignment', (match) => assigned(text, match));
  return found.sort((a, b) => a.start - b.start);
}

type Place = readonly [start: number, end: number] | undefined;

function whole(match: RegExpExecArray): Place {
  return [match.index, match.index + match[0].length];
}

function first(match: RegExpExecArray, part = ''): Place {
  return [match.index, match.index + part.length];
}

function last(match: RegExpExecArray, part = ''): Place {
  const end = match.index + match[0].length;
  return [end - part.length, end];
}

/** After `Basic` or `Bearer` a word of prose may follow. */
function isCredential(value = ''): boolean {
  return /\d/.test(value) || /=$/.test(value) || (value.length >= 20 && /[a-z][A-Z]/.test(value));
}

/** The value after a name that ends in `match`, in quotes or bare. */
function assigned(text: string, match: RegExpExecArray): Place {
  const sign = match[0].search(/[\\"'`\s:=]/);
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
  // A variable in capitals is set to a value; in code and prose, what follows may be any word.
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(bare) && text[word] === '=';
  const isTelling = value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
  return isVariable || isTelling ? [start, start + value.length] : undefined;
}

/** `"token": "abc"` is a secret, `"token": "Some words of help"` is none. */
function isPlainWord(name: string, value: string): boolean {
  return /\s/.test(value) && !/pass/i.test(name);
}
