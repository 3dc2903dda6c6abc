// What an agent asks its user for, and what the client answers. Family `elicit` of the catalogue.
import { pointerPart } from '../../acp/json-pointer.ts';
import { get, isObject, obj, str, arr, isArray, num, objects } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { type Connection, type EarlierRequest, fact, isOpening } from '../connection.ts';
import { onAnswer, onNotification, onRequest } from '../listen.ts';
import type { RequestStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  quoteAll,
  type Fold,
} from '../rule.ts';
import type { Seq } from '../../trace/event.ts';

// What the agent asked the user for, by the id that URL elicitations carry.

interface UrlElicitation {
  readonly id: string;
  readonly asked: EarlierRequest;
  /** Neither declined, cancelled, refused nor completed so far. */
  outstanding: boolean;
  /** The first `elicitation/complete`. */
  completed: Seq | undefined;
}

/** The last URL elicitation of each id on a connection. */
const urlElicitations = fact<Connection, Map<string, UrlElicitation>>(() => new Map());

export const elicitationFold: Fold = [
  onRequest(['elicitation/create'], ({ params, asked }, connection) => {
    const id = str(params, 'elicitationId');
    if (id === undefined || str(params, 'mode') !== 'url') return;
    const made = { id, asked, outstanding: true, completed: undefined };
    urlElicitations.of(connection).set(id, made);
  }),
  onAnswer(['elicitation/create'], ({ params, asked, result }, connection) => {
    const known = urlElicitations.of(connection).get(str(params, 'elicitationId') ?? '');
    // Accepting a URL is not the end: the interaction goes on elsewhere.
    if (known?.asked === asked && str(result, 'action') !== 'accept') known.outstanding = false;
  }),
  onNotification(['elicitation/complete'], ({ params, seq }, connection) => {
    const known = urlElicitations.of(connection).get(str(params, 'elicitationId') ?? '');
    if (known === undefined) return;
    known.completed ??= seq;
    known.outstanding = false;
  }),
];

const WHOLE = 'a recording of the whole connection';

function incomplete(connection: Connection): boolean {
  return connection.gaps > 0 || connection.handshake === undefined;
}

function scopeOutcome({ params, session }: RequestStep, connection: Connection): Outcome {
  const request = get(params, 'requestId') ?? undefined;
  const named = get(params, 'sessionId') ?? undefined;
  if (request === undefined && named === undefined)
    return fail('neither `sessionId` nor `requestId` is there');
  if (request !== undefined && named !== undefined)
    return fail('both `sessionId` and `requestId` are there');
  if (request !== undefined) {
    if (typeof request !== 'string' && typeof request !== 'number') return undefined;
    if (connection.open.find('client', request)) return 'pass';
    const seen = `the request ${quote(request)}, which does not wait for an answer`;
    const pointer = '/params/requestId';
    return connection.gaps > 0
      ? undecidable(`${seen} in this trace, which has a gap`, WHOLE, pointer)
      : fail(seen, pointer);
  }
  if (session === undefined) return undefined;
  if (session.origin !== undefined || isOpening(session)) return 'pass';
  // It may be the one that an open request is making.
  if (connection.open.making > 0) return undefined;
  const seen = `the session ${quote(session.id)}, which nobody opened`;
  const pointer = '/params/sessionId';
  return incomplete(connection)
    ? undecidable(`${seen} in this trace`, WHOLE, pointer)
    : fail(seen, pointer);
}

const SECRETS =
  /\b(?:password|passwd|passphrase|secret|token|api key|apikey|private key|access key|credit card|card number|cvv|cvc)\b/i;

/** `apiKey`, `api_key` and `api-key` are words of their own. */
function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ');
}

const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i;
const CREDENTIAL =
  /^(?:(?:access|auth|id|refresh|session)?[_-]?token|api[_-]?key|secret|client[_-]?secret|password|passwd)$/i;

export const ELICITATION = rulesOf({ side: 'agent' })({
  'elicit/scope': {
    severity: 'error',
    clause: 'an elicitation names either a session that is open or a request that waits',
    on: onRequest(['elicitation/create'], scopeOutcome),
  },
  'elicit/id-unique': {
    severity: 'error',
    clause: 'no two open URL elicitations have one `elicitationId`',
    on: onRequest(['elicitation/create'], ({ params, seq }, connection) => {
      const id = str(params, 'elicitationId');
      if (id === undefined || str(params, 'mode') !== 'url') return undefined;
      const known = urlElicitations.of(connection).get(id);
      if (known === undefined || !known.outstanding) return 'pass';
      const pointer = '/params/elicitationId';
      const seqs = [known.asked.seq, seq];
      // Completion need not be told, so what was accepted may be over.
      if (known.asked.answered)
        return fail(
          `\`elicitationId\` is ${quote(id)} again, accepted before and not reported as complete`,
          {
            pointer,
            seqs,
            severity: 'hint',
          },
        );
      return fail(`\`elicitationId\` is ${quote(id)} again, while #${known.asked.seq} is open`, {
        pointer,
        seqs,
      });
    }),
  },
  'elicit/complete-unknown': {
    severity: 'warning',
    clause: '`elicitation/complete` names a URL elicitation, and each of them once',
    on: onNotification(['elicitation/complete'], ({ params, seq }, connection) => {
      const id = str(params, 'elicitationId');
      if (id === undefined) return undefined;
      const known = urlElicitations.of(connection).get(id);
      const pointer = '/params/elicitationId';
      if (known?.completed !== undefined)
        return fail(`${quote(id)}, complete since #${known.completed}`, {
          pointer,
          seqs: [known.completed, seq],
        });
      if (known !== undefined) return 'pass';
      return incomplete(connection)
        ? undecidable(`${quote(id)} may have been asked before this trace`, WHOLE, pointer)
        : fail(`${quote(id)}, which was not asked for`, pointer);
    }),
  },
  'elicit/content': {
    side: 'client',
    severity: 'warning',
    clause: 'an accepted form has the content that its schema asks for; other answers have none',
    on: onAnswer(['elicitation/create'], ({ params, result, asked, seq }) => {
      if (!isObject(result)) return undefined;
      const action = str(result, 'action');
      const given = get(result, 'content') ?? undefined;
      if (action !== 'accept')
        return given === undefined
          ? 'pass'
          : fail(`content with the action ${quote(action)}`, '/result/content');
      const asks = str(params, 'mode') === 'form' ? obj(params, 'requestedSchema') : undefined;
      if (asks === undefined) return undefined;
      return judged(
        formFaults(asks, given).map(({ seen, property }) =>
          fail(seen, {
            pointer: `/result/content${property === undefined ? '' : `/${pointerPart(property)}`}`,
            seqs: [asked.seq, seq],
          }),
        ),
      );
    }),
  },
  'elicit/secret-in-form': {
    severity: 'hint',
    clause: 'a form does not ask for secrets; a URL does that',
    on: onRequest(['elicitation/create'], ({ params }) => {
      const properties = obj(obj(params, 'requestedSchema'), 'properties');
      if (properties === undefined) return undefined;
      const faults: RuleFault[] = [];
      for (const [name, property] of Object.entries(properties)) {
        const title = str(property, 'title') ?? '';
        const found = SECRETS.exec(words(`${name.slice(0, 200)} ${title.slice(0, 200)}`))?.[0];
        if (found === undefined || str(property, 'type') === 'boolean') continue;
        faults.push(
          fail(
            `the field ${quote(name)} speaks of a secret: ${found.toLowerCase()}`,
            `/params/requestedSchema/properties/${pointerPart(name)}`,
          ),
        );
      }
      return judged(faults);
    }),
  },
  'elicit/url': {
    severity: 'warning',
    clause: 'a URL is https, except on this machine, and carries no credentials',
    on: onRequest(['elicitation/create'], ({ params }) => {
      const text = str(params, 'mode') === 'url' ? str(params, 'url') : undefined;
      // What is no URL at all, the schema says.
      if (text === undefined || !URL.canParse(text)) return undefined;
      const { protocol, hostname, username, password, searchParams } = new URL(text);
      const faults: RuleFault[] = [];
      const pointer = '/params/url';
      if (protocol !== 'https:' && !LOCAL.test(hostname))
        faults.push(fail(`the scheme of \`url\` is ${protocol.slice(0, -1)}`, pointer));
      if (username !== '' || password !== '')
        faults.push(fail('`url` holds a user name or password', pointer));
      for (const name of new Set(searchParams.keys()))
        if (CREDENTIAL.test(name))
          faults.push(fail(`\`url\` holds the parameter ${quote(name)}`, pointer));
      return judged(faults);
    }),
  },
});

// Whether the content of an accepted form fits the schema that asked for it. Patterns are left out:
// an expression of the agent's, run here, could run for ever.

interface FormFault {
  readonly seen: string;
  /** Of the property in the content; undefined: the content itself. */
  readonly property: string | undefined;
}

/** `content`: undefined or null where nothing was given. */
function formFaults(schema: JsonObject, content: Json | undefined): readonly FormFault[] {
  const required = arr(schema, 'required').filter((name) => typeof name === 'string');
  const missing = required.filter((name) => get(content, name) === undefined);
  const faults: FormFault[] = [];
  if (missing.length > 0)
    faults.push({ seen: `\`content\` is without ${quoteAll(missing)}`, property: undefined });
  if (!isObject(content)) return faults;
  const properties = obj(schema, 'properties');
  for (const [property, value] of Object.entries(content)) {
    const asked = obj(properties, property);
    if (asked === undefined) {
      faults.push({ seen: `${quote(property)}, which was not asked for`, property });
      continue;
    }
    const odd = misfit(asked, value);
    if (odd !== undefined) faults.push({ seen: `${quote(property)} is ${odd}`, property });
  }
  return faults;
}

function misfit(schema: JsonObject, value: Json): string | undefined {
  const type = str(schema, 'type');
  switch (type) {
    case 'string':
      return typeof value === 'string' ? oddText(schema, value) : `${quote(value)}, not a string`;
    case 'number':
    case 'integer':
      if (typeof value !== 'number') return `${quote(value)}, not a number`;
      if (type === 'integer' && !Number.isInteger(value)) return `${value}, not a whole number`;
      return outside(value, num(schema, 'minimum'), num(schema, 'maximum'), String(value));
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${quote(value)}, neither true nor false`;
    case 'array':
      return isArray(value) ? oddChoices(schema, value) : `${quote(value)}, not a list`;
    default:
      return undefined;
  }
}

/** Constants that one may choose; undefined: any. */
function choices(schema: JsonObject | undefined): ReadonlySet<Json> | undefined {
  const titled = [...objects(schema, 'oneOf'), ...objects(schema, 'anyOf')];
  const values = [...arr(schema, 'enum'), ...titled.map((one) => get(one, 'const') ?? null)];
  return values.length === 0 ? undefined : new Set(values);
}

function oddText(schema: JsonObject, value: string): string | undefined {
  const offered = choices(schema);
  if (offered !== undefined && !offered.has(value)) return `${quote(value)}, which is no choice`;
  const length = value.length > 100_000 ? value.length : [...value].length;
  const words = `${length} characters long`;
  return outside(length, num(schema, 'minLength'), num(schema, 'maxLength'), words);
}

function oddChoices(schema: JsonObject, value: readonly Json[]): string | undefined {
  const offered = choices(obj(schema, 'items'));
  const odd = offered && value.find((one) => !offered.has(one));
  if (odd !== undefined) return `${quote(odd)} among others, which is no choice`;
  const words = `${value.length} long`;
  return outside(value.length, num(schema, 'minItems'), num(schema, 'maxItems'), words);
}

function outside(
  value: number,
  least: number | undefined,
  most: number | undefined,
  words: string,
): string | undefined {
  if (least !== undefined && value < least) return `${words}, and ${least} is the least`;
  if (most !== undefined && value > most) return `${words}, and ${most} is the most`;
  return undefined;
}
