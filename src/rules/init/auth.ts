// Signing in and out. Family `auth` of the catalogue.
import { authMethodId } from '../../acp/handshake.ts';
import { CODE, type JsonObject } from '../../acp/message.ts';
import { get, objects, str } from '../../acp/json.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, fact } from '../connection.ts';
import { onAnswer, onNotification, onRequest } from '../listen.ts';
import type { RequestStep } from '../steps.ts';
import {
  catalogue,
  fail,
  judged,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
  quoteAll,
  type Fold,
  UNKNOWN_OFFER,
} from '../rule.ts';
import { isRefusal } from '../settings/refused.ts';
import { isOffered } from './handshake.ts';
import { twiceIn } from '../../lib/grouped.ts';

const LOGINS = ['authenticate', 'auth/login'] as const;

/** A sign-in by the client, in the way of the version spoken. */
function isLogin({ from, method }: RequestStep, { version }: Connection): boolean {
  return from === 'client' && method === LOGINS[version === 2 ? 1 : 0];
}

/** The method of signing in that a request names; undefined: it was not advertised. */
function chosen(
  { params }: Pick<RequestStep, 'params'>,
  { authMethods, version }: Connection,
): JsonObject | undefined {
  const id = str(params, 'methodId');
  return authMethods.find((method) => authMethodId(method, version) === id);
}

/** The last sign-in that succeeded, until a session was made with it or one signed out. */
const signedIn = fact<Connection, { seq: Seq | undefined }>(() => ({ seq: undefined }));

export const signInFold: Fold = [
  onAnswer(LOGINS, ({ result, from, seq }, connection) => {
    if (result !== undefined && from === 'agent') signedIn.of(connection).seq = seq;
  }),
  onAnswer(['logout', 'auth/logout', 'session/new'], ({ result }, connection) => {
    // Later on a sign-in may have run out.
    if (result !== undefined) signedIn.of(connection).seq = undefined;
  }),
  onNotification(['auth/status_update'], ({ params, from }, connection) => {
    if (from === 'agent' && str(params, 'state') !== 'authenticated')
      signedIn.of(connection).seq = undefined;
  }),
];

export const AUTH = catalogue({
  'auth/unknown-method': {
    side: 'client',
    severity: 'error',
    needs: 'capabilities',
    clause: 'one signs in by a method that was advertised',
    on: onRequest(LOGINS, (step, connection) => {
      const { authMethods, version } = connection;
      const id = str(step.params, 'methodId');
      if (!isLogin(step, connection) || id === undefined) return undefined;
      if (chosen(step, connection) !== undefined) return 'pass';
      // In v2 that is auth/no-surface.
      if (authMethods.length === 0 && version === 2) return undefined;
      const ids = authMethods.flatMap((method) => authMethodId(method, version) ?? []);
      return fail(`\`methodId\` is ${quote(id)}, which was not offered`, {
        due: ids.length === 0 ? 'none, as none is advertised' : `one of ${quoteAll(ids, 8)}`,
        pointer: '/params/methodId',
      });
    }),
  },
  'auth/unknown-reply': {
    side: 'agent',
    severity: 'warning',
    needs: 'capabilities',
    clause: 'a sign-in by a method that was not advertised fails',
    on: onAnswer(LOGINS, (step, connection) => {
      const { asked, error, method, params, seq } = step;
      const { authMethods, version, handshake } = connection;
      const id = str(params, 'methodId');
      if (asked.from !== 'client' || method !== LOGINS[version === 2 ? 1 : 0]) return undefined;
      if (id === undefined || authMethods.length === 0) return undefined;
      if (chosen(step, connection) !== undefined) return undefined;
      if (error !== undefined) return 'pass';
      return fail(`a result for ${quote(id)}, which was not offered`, {
        pointer: '/result',
        seqs: [...(handshake?.answer === undefined ? [] : [handshake.answer]), asked.seq, seq],
      });
    }),
  },
  'auth/terminal-login': {
    side: 'client',
    severity: 'error',
    needs: 'capabilities',
    clause:
      'a method of type "terminal" is carried out in a terminal and never passed to `authenticate` or `auth/login`',
    on: onRequest(LOGINS, (step, connection) => {
      if (!isLogin(step, connection)) return undefined;
      const method = chosen(step, connection);
      if (method === undefined || str(method, 'type') !== 'terminal') return method && 'pass';
      return fail(
        `${quote(get(step.params, 'methodId'))}, which is of type "terminal"`,
        '/params/methodId',
      );
    }),
  },
  'auth/no-surface': {
    side: 'client',
    severity: 'error',
    needs: 'capabilities',
    clause:
      'in v2 signing in and out needs an advertised method, in v1 signing out needs `auth.logout`',
    on: [
      onRequest(['auth/login', 'auth/logout'], ({ from }, { authMethods, version }) => {
        if (from !== 'client' || version !== 2) return undefined;
        return authMethods.length > 0
          ? 'pass'
          : fail('the agent advertises no `authMethods`', '/method');
      }),
      onRequest(['logout'], ({ from }, connection) => {
        if (from !== 'client' || connection.version !== 1) return undefined;
        return isOffered(connection, 'auth.logout');
      }),
    ],
  },
  'auth/login-unimplemented': {
    versions: [2],
    side: 'agent',
    severity: 'error',
    needs: 'capabilities',
    clause: 'an agent that advertises `authMethods` has both `auth/login` and `auth/logout`',
    on: onAnswer(['auth/login', 'auth/logout'], ({ asked, error, method }, { authMethods }) => {
      if (asked.from !== 'client' || authMethods.length === 0) return undefined;
      if (error?.code !== CODE.methodNotFound) return 'pass';
      return fail(`-32601 for \`${method}\``, '/error/code');
    }),
  },
  'auth/refused': {
    side: 'agent',
    severity: 'warning',
    needs: 'capabilities',
    clause: 'an authentication method that the agent offers is known to it',
    on: onAnswer(LOGINS, ({ asked, error, method, params, seq }, connection) => {
      const { authMethods, version, handshake } = connection;
      const id = str(params, 'methodId');
      const offer = authMethods.find(
        (one) => id !== undefined && authMethodId(one, version) === id,
      );
      if (asked.from !== 'client' || method !== LOGINS[version === 2 ? 1 : 0]) return undefined;
      if (offer === undefined || str(offer, 'type') === 'terminal') return undefined;
      // A method that is not there at all: cap/advertised-missing, auth/login-unimplemented.
      if (error?.code === CODE.methodNotFound) return undefined;
      if (error === undefined || !isRefusal(error)) return 'pass';
      // Credentials may be refused, too.
      if (!/\bmethod|^invalid params/i.test(error.message)) return undefined;
      return fail(`${error.code} ${quote(error.message)} for ${quote(id)}, which is offered`, {
        pointer: '/error',
        seqs: [...(handshake?.answer === undefined ? [] : [handshake.answer]), asked.seq, seq],
      });
    }),
  },
  'auth/required-without-methods': {
    side: 'agent',
    severity: 'hint',
    needs: 'capabilities',
    clause: 'who asks for a sign-in (−32000) has advertised a way to do it',
    on: onAnswer('all', ({ asked, error, method }, { authMethods }) => {
      if (asked.from !== 'client' || error?.code !== CODE.authRequired) return undefined;
      // There it is wrong in any case: auth/status-gated.
      if (method === 'auth/status') return undefined;
      return authMethods.length > 0
        ? 'pass'
        : fail('the answer is -32000, and no `authMethods` were advertised', '/error/code');
    }),
  },
  'auth/still-required': {
    side: 'agent',
    severity: 'error',
    clause: 'once signed in, a session can be made',
    on: onAnswer(['session/new'], ({ asked, error }, connection) => {
      const { seq } = signedIn.of(connection);
      if (asked.from !== 'client' || seq === undefined || asked.seq < seq) return undefined;
      if (error?.code !== CODE.authRequired) return 'pass';
      return fail(`-32000, although the sign-in succeeded in #${seq}`, '/error/code');
    }),
  },
  'auth/duplicate-ids': {
    side: 'agent',
    severity: 'warning',
    clause: 'ids of sign-in methods are unique, and so are names in the `env` of one',
    on: onAnswer(['initialize'], ({ result, from }, { version }) => {
      const methods = objects(result, 'authMethods');
      if (from !== 'agent' || methods.length === 0) return undefined;
      const faults: (RuleFault | Undecided)[] = [];
      const [id] = twiceIn(methods.map((method) => authMethodId(method, version)));
      if (id !== undefined)
        faults.push(fail(`\`authMethods\` has the id ${quote(id)} twice`, '/result/authMethods'));
      for (const method of methods) {
        const [name] = twiceIn(objects(method, 'env').map((variable) => str(variable, 'name')));
        if (name === undefined) continue;
        const what = `${quote(name)} twice in the \`env\` of ${quote(authMethodId(method, version))}`;
        faults.push(
          fail(what, { pointer: '/result/authMethods', severity: 'error', sentence: 'env' }),
        );
      }
      return judged(faults);
    }),
  },
  'auth/status-gated': {
    side: 'agent',
    severity: 'error',
    clause:
      '`auth/status` never answers −32000, and `auth/status_update` is sent only by who advertises `auth.status`',
    on: [
      onAnswer(['auth/status'], ({ asked, error }) => {
        if (asked.from !== 'client') return undefined;
        if (error?.code !== CODE.authRequired) return 'pass';
        return fail('`auth/status` is answered with -32000', '/error/code');
      }),
      onNotification(['auth/status_update'], ({ from }, connection): Outcome => {
        if (from !== 'agent') return undefined;
        if (connection.agentCapabilities === undefined) return UNKNOWN_OFFER;
        return isOffered(connection, 'auth.status');
      }),
    ],
  },
});
