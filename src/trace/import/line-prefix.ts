// The words of a log before a message, or in the fields beside it: colours, a time, the direction, the process.

/** The direction of a message, as the program that wrote the log sees it. */
export type LineWay = 'out' | 'in';

const ESCAPE = '\u001b[';
const COLOUR_CODES = '0123456789;:';
/** A colour whose escape character was lost when the text was copied. */
const BARE_COLOUR = /\[\d{0,3}(?:;\d{1,3}){0,5}m/g;

/** Returns the text without the sequences that colour it in a terminal. JSON cannot contain them. */
export function withoutColours(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, from)) {
    parts.push(text.slice(from, at));
    from = at + ESCAPE.length;
    while (COLOUR_CODES.includes(text[from] ?? 'm')) from++;
    from++;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

const ARROW = /[→⇒➡▶⟶]|-->|->|=>|>>>?|[←⇐⬅◀⟵]|<--|<-|<=|<<<?|(?<![\w<>=-])[<>](?![\w<>=-])/g;
const POINTS_LEFT = /[←⇐⬅◀⟵<]/;
const SENT =
  /(?<![a-z])(?:out(?:going|put|bound)?|sen[dt]|sending|tx|egress|writ(?:e|ing|ten)|wrote|stdin)(?![a-z])/gi;
const RECEIVED =
  /(?<![a-z])(?:in(?:coming|put|bound)?|recv|receiv(?:e|ed|ing)|rx|ingress|read|stdout)(?![a-z])/gi;
const ROLE = /\b(?:(to|from)[ ._-]{0,3})?(client|editor|ide|agent|server)\b/gi;
const ROLE_BEFORE = /\b(client|editor|ide|agent|server)\W{0,4}$/i;
const ROLE_AFTER = /^\W{0,4}(client|editor|ide|agent|server)\b/i;
const ASKED = /\brequest\b/gi;
const ANSWERED = /\bresponse\b/gi;

/** Returns the direction that the words state; undefined if they state none. */
export function wayOf(words: string): LineWay | undefined {
  if (words === '') return undefined;
  const arrow = lastOf(words, ARROW);
  if (arrow) {
    const isLeft = POINTS_LEFT.test(arrow[0]);
    const before = ROLE_BEFORE.exec(words.slice(0, arrow.index))?.[1];
    const after = ROLE_AFTER.exec(words.slice(arrow.index + arrow[0].length))?.[1];
    const to = isLeft ? before : after;
    const from = isLeft ? after : before;
    if (to !== undefined) return isAgent(to) ? 'out' : 'in';
    if (from !== undefined) return isAgent(from) ? 'in' : 'out';
    return isLeft ? 'in' : 'out';
  }
  const [sent, received] = [placeOf(words, SENT), placeOf(words, RECEIVED)];
  if (sent !== received) return sent > received ? 'out' : 'in';
  const role = lastOf(words, ROLE);
  if (role) return isAgent(role[2] ?? '') === (role[1]?.toLowerCase() === 'to') ? 'out' : 'in';
  const [asked, answered] = [placeOf(words, ASKED), placeOf(words, ANSWERED)];
  return asked === answered ? undefined : asked > answered ? 'out' : 'in';
}

/** Returns the direction of a word that is a value, as `wayOf`: `fromClient`, `client_to_agent`, `C2A`. */
export function wayNamed(word: string): LineWay | undefined {
  if (word.length > 40) return undefined;
  const short = /^(?:([ca])2([ca])|([<>]))$/i.exec(word);
  if (short) return short[1]?.toLowerCase() === 'c' || short[3] === '>' ? 'out' : 'in';
  return wayOf(word.replace(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll('_', ' '));
}

function isAgent(role: string): boolean {
  return /^(?:agent|server)$/i.test(role);
}

function lastOf(text: string, pattern: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1);
}

function placeOf(text: string, pattern: RegExp): number {
  return lastOf(text, pattern)?.index ?? -1;
}

const PROCESS = /\bpid[ :=]{0,3}(\d{1,10})\b|[\w.)-]\[(\d{1,10})\]:/i;

/** Returns the process that wrote the line, as `pid 10`; undefined if the line does not name it. */
export function processIn(words: string): string | undefined {
  const [, named, bracketed] = PROCESS.exec(words) ?? [];
  const pid = named ?? bracketed;
  return pid === undefined ? undefined : `pid ${pid}`;
}

/** Returns the words before a message without colours that lost their escape character. */
export function plainWords(words: string): string {
  return words.includes('[') ? words.replace(BARE_COLOUR, '').trim() : words.trim();
}
