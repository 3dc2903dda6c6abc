// The JSON-RPC envelope: ids, kinds of message, errors. Family `rpc` of the catalogue; who has to be
// answered stands in rpc-answers.ts.
import { CODE, isWhole, type Json, type Message, type RequestId } from '../../acp/message.ts';
import { get, isObject, typeWords } from '../../acp/json.ts';
import { methodsNamed } from '../../acp/methods.ts';
import { isForeign } from './framing.ts';
import { onAnswer, onFrame, onNotification, onOrphan, onRequest } from '../listen.ts';
import { rulesOf, fail, judged, type RuleFault } from '../rule.ts';

/** The object that a line is which was meant as a message; frame/not-json tells of others. */
function objectOf(message: Message) {
  if (message.kind !== 'invalid' || isForeign(message.value)) return undefined;
  return isObject(message.value) ? message.value : undefined;
}

function oddParams(params: Json | undefined): RuleFault | 'pass' | undefined {
  if (params === undefined) return undefined;
  if (isObject(params)) return 'pass';
  return fail(`\`params\` is ${typeWords(params)}`, '/params');
}

/** Why an id is none of a whole number and a string; undefined: it is one. */
function oddId(id: RequestId): string | undefined {
  if (id.type === 'null') return 'null';
  return id.type === 'number' && !isWhole(id) ? id.token : undefined;
}

function oddError(error: { readonly message: string }): RuleFault | 'pass' {
  if (error.message === '') return fail('`error.message` is empty', '/error/message');
  if (/[\r\n]/.test(error.message))
    return fail('`error.message` has several lines', {
      pointer: '/error/message',
      severity: 'warning',
    });
  return 'pass';
}

/** Codes that JSON-RPC or ACP define inside the ranges they keep for themselves. */
const DEFINED: ReadonlySet<number> = new Set(Object.values(CODE));

export const RPC = rulesOf({ side: 'sender' })({
  'rpc/version-tag': {
    severity: 'error',
    needs: 'nothing',
    clause: '`"jsonrpc":"2.0"` stands in every message',
    on: onFrame(({ message }) => {
      if (message.kind !== 'invalid') return 'pass';
      const value = objectOf(message);
      if (value === undefined) return undefined;
      const tag = get(value, 'jsonrpc');
      if (tag === '2.0') return 'pass';
      return fail(
        tag === undefined ? 'no `jsonrpc`' : `\`jsonrpc\` is ${JSON.stringify(tag)}`,
        tag === undefined ? '' : '/jsonrpc',
      );
    }),
  },
  'rpc/shape': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a message has `method`, or `id` with exactly one of `result` and `error`',
    on: onFrame(({ message }) => {
      if (message.kind !== 'invalid') return 'pass';
      const value = objectOf(message);
      if (value === undefined) return undefined;
      const { method, result, error, id } = value;
      const answers = result !== undefined || error !== undefined;
      if (method !== undefined && typeof method !== 'string')
        return fail(`\`method\` is ${typeWords(method)}`, '/method');
      if (method !== undefined && answers)
        return fail(`\`method\` beside \`${result === undefined ? 'error' : 'result'}\``);
      if (method === undefined && !answers) return fail('neither `method`, `result` nor `error`');
      if (result !== undefined && error !== undefined) return fail('both `result` and `error`');
      if (answers && id === undefined)
        return fail(`${result === undefined ? 'an error' : 'a result'} without \`id\``);
      return 'pass';
    }),
  },
  'rpc/extra-member': {
    severity: 'hint',
    needs: 'nothing',
    clause:
      'a message has only members of JSON-RPC; further data is in `_meta` of its params or result',
    on: onFrame(({ message }) => {
      if (message.kind === 'invalid') return undefined;
      const [first, ...rest] = message.extra ?? [];
      if (first === undefined) return 'pass';
      const names = [first, ...rest.slice(0, 4)].map((name) => `\`${name.slice(0, 40)}\``);
      return fail(names.join(', '), `/${first}`);
    }),
  },
  'rpc/params-type': {
    severity: 'error',
    needs: 'nothing',
    clause: '`params` is an object; ACP names its params',
    on: [
      onRequest('all', ({ params }) => oddParams(params)),
      onNotification('all', ({ params }) => oddParams(params)),
    ],
  },
  'rpc/id-type': {
    severity: 'error',
    clause: 'a request id is a string or a whole number',
    on: [
      onRequest('all', ({ message }, { version }) => {
        // In v1 null and fractions are discouraged only: rpc/id-null.
        const odd = version === 1 ? undefined : oddId(message.id);
        return odd === undefined
          ? 'pass'
          : fail(`the id is ${odd}`, { pointer: '/id', point: 'discouraged' });
      }),
      onFrame(({ message }) => {
        const id = get(objectOf(message), 'id');
        if (id === undefined || id === null || typeof id === 'string' || typeof id === 'number')
          return undefined;
        return fail(`the id is ${typeWords(id)}`, '/id');
      }),
    ],
  },
  'rpc/id-null': {
    versions: [1],
    severity: 'warning',
    clause: 'a request id is not null and has no fraction',
    on: onRequest('all', ({ message }) => {
      const odd = oddId(message.id);
      return odd === undefined ? 'pass' : fail(`the id is ${odd}`, '/id');
    }),
  },
  'rpc/id-unsafe-int': {
    severity: 'hint',
    needs: 'nothing',
    clause: 'a numeric id stays within ±(2^53 − 1), beyond which JavaScript peers round it',
    on: onRequest('all', ({ message: { id } }) => {
      if (!isWhole(id)) return undefined;
      return Number.isSafeInteger(Number(id.token)) ? 'pass' : fail(`the id is ${id.token}`, '/id');
    }),
  },
  'rpc/request-as-notification': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a request carries an `id`, a notification none',
    on: [
      onRequest('all', ({ method }) => {
        const known = methodsNamed(method);
        if (known.length === 0) return undefined;
        if (known.some(({ kind }) => kind === 'request')) return 'pass';
        return fail(`the notification \`${method}\` with an \`id\``, '/id');
      }),
      onNotification('all', ({ method }) => {
        const known = methodsNamed(method);
        if (known.length === 0) return undefined;
        if (known.some(({ kind }) => kind === 'notification')) return 'pass';
        return fail(`the request \`${method}\` without an \`id\``);
      }),
    ],
  },
  'rpc/error-shape': {
    severity: 'error',
    needs: 'nothing',
    clause: '`error` has a whole number `code` and a `message` of one line',
    on: [
      onAnswer('all', ({ error }) => error && oddError(error)),
      onOrphan(({ message }) => (message.kind === 'failure' ? oddError(message.error) : undefined)),
      onFrame(({ message }) => {
        const value = objectOf(message);
        const error = get(value, 'error');
        if (error === undefined || get(value, 'jsonrpc') !== '2.0') return undefined;
        if (!isObject(error)) return fail(`\`error\` is ${typeWords(error)}`, '/error');
        const faults: RuleFault[] = [];
        if (!Number.isInteger(error['code']))
          faults.push(fail(`\`error.code\` is ${JSON.stringify(error['code'])}`, '/error/code'));
        if (typeof error['message'] !== 'string')
          faults.push(
            fail(`\`error.message\` is ${typeWords(error['message'])}`, '/error/message'),
          );
        return judged(faults);
      }),
    ],
  },
  'rpc/error-code-range': {
    severity: 'warning',
    needs: 'nothing',
    clause: 'codes of one’s own stay out of −32768…−32000 and −32899…−32800',
    on: onAnswer('all', ({ error }) => {
      if (error === undefined) return undefined;
      const { code } = error;
      const reserved = (code >= -32768 && code <= -32000) || (code >= -32899 && code <= -32800);
      if (!reserved || DEFINED.has(code)) return 'pass';
      return fail(`the code ${code}, which neither JSON-RPC nor ACP defines`, '/error/code');
    }),
  },
});
