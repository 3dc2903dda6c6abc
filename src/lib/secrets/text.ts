// Secrets in text that has no structure we know: prose, commands, logs, code, addresses. Each pattern
// begins with a word or sign that is rare, and repeats within bounds, so that no text makes it slow.
import { isPlainHeader, isSecretName } from './names.ts';
import { tokenPatterns } from './tokens.ts';

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
