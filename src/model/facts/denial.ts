// Whether an error says that the agent does not know the session that the request named. The error codes differ from
// agent to agent, so the words decide. Errors about something else in a session are no denial.
import { CODE, type Failure, type Json } from '../../acp/message.ts';
import { isObject, str } from '../../acp/json.ts';

/** Codes of errors that agents give before they look for the session. */
const BEFORE_LOOKUP: ReadonlySet<number> = new Set([
  CODE.methodNotFound,
  CODE.authRequired,
  CODE.invalidRequest,
  CODE.requestCancelled,
]);

/**
 * Returns how a response treats a session that does not exist or is not open. Undefined: the error came before the
 * agent looked for the session. `code`: of the error; undefined for a result.
 */
export function unknownSessionReply(
  code: number | undefined,
): 'result' | 'not found' | 'other code' | undefined {
  if (code === undefined) return 'result';
  if (BEFORE_LOOKUP.has(code)) return undefined;
  return code === CODE.notFound ? 'not found' : 'other code';
}

/** Characters of a text that are searched. */
const MAX_TEXT = 1000;
/** Ids of fewer characters may be part of any word. */
const MIN_ID = 2;
/** Stands for the session id in a text. */
const ID = '\u0001';

const NOUN = '(?:session|conversation|thread)s?(?:[ _-]?id)?';
const ABSENT =
  "(?:not (?:be )?(?:found|known|open|active|loaded|available|recogni[sz]ed|exist)|unknown|unavailable|doesn['’]t exist|does not exist|no longer (?:exists|available|known|valid|active|open))";
const LINK = `["'\`)\\]>]?[\\s:,=-]{0,3}(?:was |is |has |could |can |does )?`;

const DENIALS = [
  // `Session "s1" not found`, `session id=s1 is unknown`
  `\\b${NOUN}[\\s:=]{0,3}["'\`(\\[<]?(?:${ID}|[\\w.:-]{1,80}(?=["'\`)\\]>]))?${LINK}${ABSENT}`,
  // `no such session`, `Unknown session: s1`, `could not find the session`
  `(?:no such|unknown|unrecogni[sz]ed|non-?existent|\\bno|invalid|not find|n['’]t find|cannot find|unable to find|failed to find) (?:(?:a|any|the|active|open|such|matching) ){0,2}${NOUN}\\b(?=\\s*(?:$|[.,:;!?"'\`()<[{]|found|exists?\\b|available|with|for|named|${ID}))`,
  // `Resource not found: s1`, `s1 does not exist`
  `${ID}${LINK}${ABSENT}`,
  `(?:not found|unknown|does not exist)[\\s:("'\`-]{0,4}${ID}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** An expired sign-in is often called a session too. */
const SIGN_IN =
  /\b(?:log ?in|sign(?:ed)? ?in|authenticat\w*|credentials?|api key|unauthori[sz]ed)\b/i;

/** True if the error says that the agent does not know the session `id`. */
export function deniesSession(error: Failure['error'], id: string): boolean {
  const { code, message, data } = error;
  if (BEFORE_LOOKUP.has(code)) return false;
  if (code === CODE.notFound && str(data, 'sessionId') === id) return true;
  const texts = [message, ...textsIn(data)].map((text) => text.slice(0, MAX_TEXT));
  if (texts.some((text) => SIGN_IN.test(text))) return false;
  const marked = texts.map((text) => (id.length < MIN_ID ? text : text.replaceAll(id, ID)));
  return marked.some((text) => DENIALS.some((denial) => denial.test(text)));
}

/** The texts that error data holds: agents put details there in fields of any name. */
function textsIn(data: Json | undefined): readonly string[] {
  if (typeof data === 'string') return [data];
  if (!isObject(data)) return [];
  return Object.values(data).flatMap((value) => {
    if (typeof value === 'string') return [value];
    return isObject(value) ? Object.values(value).filter((text) => typeof text === 'string') : [];
  });
}
