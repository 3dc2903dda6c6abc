// What is to be put otherwise in JSON and in text: first by where it stands, then by how it looks, then
// by what is known. JSON inside strings is looked into, and so is base64 that says text. Nothing recurses
// with nesting, and only sound JSON is walked.
import { parseJson } from '../../acp/json.ts';
import {
  isClose,
  isOpen,
  isPunctuation,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  skipSpace,
  skipToken,
} from '../../lib/json-scan.ts';
import { stringAt } from '../../lib/json-text.ts';
import { secretsInArgument } from '../../lib/secrets/arguments.ts';
import { isLogin, isPlainHeader, isSecretKey, isSecretName } from '../../lib/secrets/names.ts';
import { secretsIn } from '../../lib/secrets/text.ts';
import { isPseudonym, type Book, type SecretRule } from './book.ts';
import { withoutOverlap, byteText, encodedHit, inLiteral, textFrom, type Hit } from './hits.ts';
import { hidesContent, isOpaque, shows, type RedactionLevel } from './levels.ts';
import type { Split } from './streams.ts';

/** JSON in a string in JSON … so deep; further in, it is text. */
const DEEPEST = 6;
const LONGEST_CLEAN = 40;
const MOST_CLEAN = 10_000;
const BASE64 = /(?<![\w+/=-])[\w+/-]{16,}={0,2}(?![\w+/=])/g;
const PRINTABLE = /^[\t\n\r\x20-\x7e\x80-\xff]*$/;
const ENV = /^(?:env|environment|envVars|env_vars)$/i;
const HEADERS = /headers$/i;
const ARGUMENTS = /^(?:args|argv|command|arguments|cmd)$/;
const STORE = /^(?:secrets|credentials)$/i;
/** Of another level than this, keys of what is an agent's own stay only where they look like names. */
const NAME = /^[A-Za-z_$][\w$.-]{0,40}$/;

/** Where a JSON text stands: a line of a trace file, a frame's line, or anywhere. */
type Stand = 'event' | 'frame' | 'inner';

/** An object or array that is open. */
interface Box {
  readonly isObject: boolean;
  /** The key it stands under, also through arrays. */
  readonly key: string;
  /** What it stands in is no array. */
  readonly outerIsObject: boolean;
  readonly opaque: boolean;
  member: string;
  awaitsKey: boolean;
  /** The string before, of a list of arguments. */
  before: string;
  /** Of `{name, value}`. */
  name: string | undefined;
  value: Value | undefined;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly said: string;
}

interface At {
  readonly stand: Stand;
  readonly given: Given | undefined;
  readonly depth: number;
}

/** Secrets that go on in other frames, by the path of the text they stand in. */
type Given = ReadonlyMap<string, Split>;

export class SecretFinder {
  readonly #level: RedactionLevel;
  readonly #book: Book;
  readonly #salt: number;
  /** Short texts that do not look like secrets, nor like base64 that says text. */
  readonly #clean = new Set<string>();

  constructor(level: RedactionLevel, book: Book, salt: number) {
    this.#level = level;
    this.#book = book;
    this.#salt = salt;
  }

  /** Of a text that may be JSON. */
  find(text: string, stand: Stand = 'inner', given?: Given, depth = 0): Hit[] {
    // A byte order mark before JSON is no fault of it.
    const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const inside = from > 0 ? text.slice(from) : text;
    if (depth < DEEPEST && isOpen(inside.charCodeAt(skipSpace(inside, 0))) && isSound(inside)) {
      const hits = this.#json(inside, { stand, given, depth });
      return from > 0
        ? hits.map((hit) => ({ ...hit, start: hit.start + 1, end: hit.end + 1 }))
        : hits;
    }
    const hits = this.#text(text, depth);
    return stand === 'frame' && hidesContent(this.#level) ? this.#leftOut(text) : hits;
  }

  /** Of the line of an event, which was read already. */
  line(text: string, given?: Given): Hit[] {
    return this.#json(text, { stand: 'event', given, depth: 0 });
  }

  #json(text: string, at: At): Hit[] {
    const hits: Hit[] = [];
    const boxes: Box[] = [];
    let box: Box | undefined;
    for (let from = skipSpace(text, 0); from < text.length;) {
      const code = text.charCodeAt(from);
      const end = skipToken(text, from);
      if (isOpen(code)) {
        box = boxIn(box, code === OPEN_BRACE, at.stand);
        boxes.push(box);
      } else if (isClose(code)) {
        if (box?.value) hits.push(...this.#named(text, box, box.value, at, boxes));
        boxes.pop();
        box = boxes.at(-1);
      } else if (code === COMMA) {
        if (box?.isObject) box.awaitsKey = true;
      } else if (code === QUOTE && box) {
        const said = stringAt(text, from, end);
        const isKey = box.awaitsKey;
        box.awaitsKey = false;
        // Whether a value of a name is a secret is told by the name, which may come after it.
        if (!isKey && box.isObject && box.member === 'value' && box.value === undefined)
          box.value = { start: from, end, said };
        else {
          const found = isKey ? this.#key(said, box) : this.#string(said, at, box, boxes);
          hits.push(...inLiteral(text, from, end, found));
        }
      } else if (!isPunctuation(code) && box?.opaque && !shows(this.#level, box.member, true)) {
        if (/[1-9]/.test(text.slice(from, end)))
          hits.push({ start: from, end, rule: 'text', put: '0' });
      }
      from = skipSpace(text, end);
    }
    return withoutOverlap(text, hits, this.#book);
  }

  #key(said: string, box: Box): Hit[] {
    box.member = said;
    const stays = !box.opaque || !hidesContent(this.#level) || NAME.test(said);
    const hits = this.#text(said, DEEPEST);
    return stays ? hits : this.#leftOut(said);
  }

  #string(said: string, at: At, box: Box, boxes: readonly Box[]): Hit[] {
    const { stand, given, depth } = at;
    const { member, key, opaque } = box;
    if (stand === 'event' && (key === 'line' || key === 'tail')) {
      box.before = said;
      if (member === 'text') return this.find(said, 'frame', given, depth);
      if (member === 'base64') return this.#bytes(said, depth);
    }
    // Also of what is left out: a secret that is known by this place is one wherever it stands.
    const hits = this.#secrets(said, at, box, boxes);
    return shows(this.#level, member, opaque) ? hits : this.#leftOut(said);
  }

  #secrets(said: string, { stand, given, depth }: At, box: Box, boxes: readonly Box[]): Hit[] {
    const { member, before, key, isObject } = box;
    box.before = said;
    if (isObject && member === 'name') box.name = said;
    if (said === '' || isPseudonym(said)) return [];
    const rule = ruleOf(said, box, stand);
    if (rule) return this.#whole(said, rule);
    const hits = this.find(said, 'inner', undefined, depth + 1);
    if (!isObject && ARGUMENTS.test(key) && !said.includes('…'))
      for (const span of secretsInArgument(said, before)) hits.unshift(this.#hit(said, span));
    const split = given?.get(pathOf(boxes));
    if (split) hits.unshift(...(split.encoded ? encodedHit(said, split.hits) : split.hits));
    return withoutOverlap(said, hits, this.#book);
  }

  /** `{"name": …, "value": …}`, as variables and headers are given; any other value is a text like others. */
  #named(text: string, box: Box, value: Value, at: At, boxes: readonly Box[]): Hit[] {
    const { said, start, end } = value;
    box.member = 'value';
    const rule = box.name === undefined ? undefined : namedRule(box.key, box.name);
    const isWhole = rule !== undefined && said !== '' && !isPseudonym(said);
    const hits = isWhole ? this.#whole(said, rule) : this.#string(said, at, box, boxes);
    const isShown = shows(this.#level, 'value', box.opaque);
    return inLiteral(text, start, end, isShown ? hits : this.#leftOut(said));
  }

  #whole(said: string, rule: SecretRule): Hit[] {
    return [this.#hit(said, { start: 0, end: said.length, rule })];
  }

  #leftOut(said: string): Hit[] {
    if (said === '' || isPlaceholder(said) || isPseudonym(said)) return [];
    return [{ start: 0, end: said.length, rule: 'text', put: placeholder(said, this.#salt) }];
  }

  #text(text: string, depth: number): Hit[] {
    // Keys and short values come again with every frame, and are looked at once.
    const isClean = text.length <= LONGEST_CLEAN && this.#clean.has(text);
    const looks = isClean ? [] : secretsIn(text);
    const hits = looks.map((span) => this.#hit(text, span));
    for (const place of this.#book.knownIn(text))
      hits.push(this.#hit(text, { ...place, rule: 'known' }));
    const encoded = isClean ? [] : readable(text);
    for (const token of depth < DEEPEST ? encoded : []) hits.push(...this.#encoded(token, depth));
    if (
      looks.length + encoded.length === 0 &&
      text.length <= LONGEST_CLEAN &&
      this.#clean.size < MOST_CLEAN
    )
      this.#clean.add(text);
    return withoutOverlap(text, hits, this.#book);
  }

  #hit(text: string, { start, end, rule }: Place): Hit {
    return { start, end, rule, put: this.#book.pseudonym(text.slice(start, end), rule) };
  }

  /** Base64 that says text with a secret in it: it stays base64. */
  #encoded({ 0: token, index }: RegExpExecArray, depth: number): Hit[] {
    return this.#bytes(token, depth + 1).map((hit) => ({
      ...hit,
      start: index,
      end: index + token.length,
    }));
  }

  /** The whole of a base64 text, if there is something in it. */
  #bytes(base64: string, depth: number): Hit[] {
    const bytes = byteText(base64);
    if (bytes === undefined) return [];
    const found = this.find(bytes, 'inner', undefined, depth + 1);
    const whole = hidesContent(this.#level)
      ? this.#leftOut(textFrom(bytes)).map((hit) => ({ ...hit, end: bytes.length }))
      : found;
    return encodedHit(base64, whole);
  }
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly rule: SecretRule;
}

/** Words of a text that may be text in base64. */
function readable(text: string): RegExpExecArray[] {
  return text.length < 16
    ? []
    : [...text.matchAll(BASE64)].filter(({ 0: token }) => {
        const head = byteText(token.slice(0, 16));
        return head !== undefined && PRINTABLE.test(head);
      });
}

function isSound(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** By the key a text stands under. */
function ruleOf(
  said: string,
  { isObject, key, member, outerIsObject }: Box,
  stand: Stand,
): SecretRule | undefined {
  const isMap = isObject && outerIsObject;
  if (isMap && ENV.test(key)) return 'env';
  // What a transport recorded is masked already, where it may be a secret.
  if (said.includes('…')) return undefined;
  if (isMap && (HEADERS.test(key) || (stand === 'event' && /^re(?:quest|sponse)$/.test(key))))
    return isPlainHeader(member) ? undefined : 'header';
  if (/^_?auth$/.test(member) && isLogin(said)) return 'key';
  return STORE.test(key) || isSecretKey(member) ? 'key' : undefined;
}

function namedRule(key: string, name: string): SecretRule | undefined {
  if (ENV.test(key)) return 'env';
  if (HEADERS.test(key)) return isPlainHeader(name) ? undefined : 'header';
  return isSecretName(name) ? 'key' : undefined;
}

function boxIn(outer: Box | undefined, isObject: boolean, stand: Stand): Box {
  const key = outer?.member ?? '';
  return {
    isObject,
    key,
    outerIsObject: outer?.isObject ?? true,
    opaque: (outer?.opaque ?? false) || (stand !== 'event' && isOpaque(key)),
    member: isObject ? '' : key,
    awaitsKey: isObject,
    before: '',
    name: undefined,
    value: undefined,
  };
}

/** `params.update.content.text`, of the member that is read. */
function pathOf(boxes: readonly Pick<Box, 'member'>[]): string {
  return boxes.map(({ member }) => member).join('.');
}

// What stands where a text was left out: how long it was, and a number by which equal texts are equal.
// The number comes of a salt that is made anew for each file and written nowhere, so that nobody can
// try out what the text was.

const PLACEHOLDER = /^‹text \d+ #[0-9a-f]{8}›$/;

function placeholder(text: string, salt: number): string {
  return `‹text ${text.length} #${hash(text, salt).toString(16).padStart(8, '0')}›`;
}

function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

function hash(text: string, salt: number): number {
  let sum = salt | 0;
  for (let at = 0; at < text.length; at++)
    sum = Math.imul(sum ^ text.charCodeAt(at) ^ (sum >>> 15), 0x9e3779b1);
  sum = Math.imul(sum ^ (sum >>> 13) ^ salt, 0x85ebca6b);
  return (sum ^ (sum >>> 16)) >>> 0;
}
