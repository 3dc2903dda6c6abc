// Ready answers to one request of an agent, right ones and wrong ones, to edit and send: to see what it
// makes of them.
import { errorLine, resultLine } from './lines.ts';
import type { Json, JsonObject } from './message.ts';
import { isArray, isObject } from './json.ts';
import { CODE, parseMessage } from './message.ts';
import type { MethodName } from './methods.ts';

export interface ReadyAnswer {
  readonly label: string;
  /** One exact line. */
  readonly text: string;
}

/** How an answer is made wrong: under an id nobody asked with, as a result of no due type, as both. */
export type Wrong = 'id' | 'result' | 'both';

const STRANGER = '"acp-scope-asked-by-nobody"';

/** What a client may answer, by the schema; a terminal's id is one of its own. */
export const RIGHT_RESULTS: Partial<Readonly<Record<MethodName, JsonObject>>> = {
  'session/request_permission': { outcome: { outcome: 'cancelled' } },
  'elicitation/create': { action: 'decline' },
  'fs/read_text_file': { content: 'Hello\n' },
  'fs/write_text_file': {},
  'terminal/create': { terminalId: 'TERMINAL_ID' },
  'terminal/output': { output: 'Hello\n', truncated: false, exitStatus: { exitCode: 0 } },
  'terminal/wait_for_exit': { exitCode: 0 },
  'terminal/kill': {},
  'terminal/release': {},
};

/** `id`: the token of the request's, as it stood in the line. */
export function readyAnswers(method: string, id: string): readonly ReadyAnswer[] {
  const right: JsonObject | undefined = Object.hasOwn(RIGHT_RESULTS, method)
    ? RIGHT_RESULTS[method as MethodName]
    : undefined;
  const result = (value: Json) => resultLine({ token: id }, value);
  const error = (code: number, message: string) => errorLine({ token: id }, { code, message });
  const plain = result(right ?? {});
  const answers: readonly (ReadyAnswer | false)[] = [
    right !== undefined && { label: 'Right by the schema', text: plain },
    { label: 'An empty result', text: result({}) },
    { label: 'A result of wrong types', text: result(mistyped(right ?? {})) },
    {
      label: `Error ${CODE.methodNotFound}, not found`,
      text: error(CODE.methodNotFound, `Method not found: ${method}`),
    },
    {
      label: `Error ${CODE.internalError}, internal`,
      text: error(CODE.internalError, 'Internal error'),
    },
    { label: 'Result and error at once', text: wrongLine(id, 'both', plain) },
    { label: 'Under an id nobody asked with', text: wrongLine(id, 'id', plain) },
  ];
  return answers.filter((answer) => answer !== false);
}

/** The answer made wrong. `line`: a right one, under this id. */
export function wrongLine(id: string, wrong: Wrong, line: string): string {
  switch (wrong) {
    case 'id':
      return line.replace(`"id":${id},`, () => `"id":${STRANGER},`);
    case 'result':
      return resultLine({ token: id }, 'wrong');
    case 'both': {
      const message = parseMessage(line);
      const result = message.kind === 'success' && !isArray(message.result) ? message.result : {};
      const error = errorLine(
        { token: id },
        { code: CODE.internalError, message: 'Internal error' },
      );
      return `${error.slice(0, -1)},"result":${JSON.stringify(result)}}`;
    }
  }
}

/** The same fields, each of another type; where there is none, no object. */
function mistyped(result: JsonObject): Json {
  const fields = Object.entries(result);
  if (fields.length === 0) return 'wrong';
  return Object.fromEntries(fields.map(([name, value]) => [name, otherType(value)]));
}

function otherType(value: Json): Json {
  return typeof value === 'string' || isObject(value) ? 7 : 'wrong';
}
