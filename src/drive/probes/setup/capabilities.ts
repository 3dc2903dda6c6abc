// Family A, capabilities: what is advertised works, and what is not is refused.
import { CODE, type Json } from '../../../acp/message.ts';
import { onPage, onPages, outcomeWords, fail, pass, refused, skip, worstOf } from '../probe.ts';
import { family, type ProbeWorld } from '../world.ts';

/** A session that nobody made. */
const NOBODY = 'probe-none';

function paramsOf(world: ProbeWorld, method: string): Json {
  if (method === 'session/list') return {};
  if (method === 'session/close' || method === 'session/delete') return { sessionId: NOBODY };
  return world.given({ sessionId: NOBODY });
}

const V1_METHODS = ['load', 'resume', 'list', 'close', 'delete'].map((name) => `session/${name}`);

/** Methods of the other version, with params as that version has them. */
type Foreign = readonly [method: string, params: Json | undefined];

const FOREIGN: Readonly<Record<1 | 2, readonly Foreign[]>> = {
  1: [['auth/login', { methodId: 'probe' }]],
  2: [
    ['session/load', undefined],
    ['session/set_mode', { sessionId: NOBODY, modeId: 'probe' }],
    ['authenticate', { methodId: 'probe' }],
  ],
};

export const CAPABILITY_PROBES = family({})({
  'caps/baseline': {
    versions: [2],
    needs: ['session/list'],
    source: onPage(2, 'initialization', 'session-capabilities'),
    sentence: 'With session advertised, list, close and resume exist: none answers −32601.',
    async run(world) {
      const connection = await world.bench();
      return worstOf(['session/list', 'session/close', 'session/resume'], async (method) => {
        const answered = await world.provoke(connection, method, paramsOf(world, method));
        const told = `${method} ${outcomeWords(answered)}`;
        const isMissing = answered.error?.code === CODE.methodNotFound || !answered.answer;
        return isMissing
          ? fail(`${told}; session, which is advertised, promises it.`, answered)
          : pass(`${told}.`, answered);
      });
    },
  },
  'caps/negative': {
    versions: [1],
    source: onPage(1, 'overview', 'optional-methods'),
    sentence: 'Session methods that are not advertised answer −32601.',
    async run(world) {
      const shut = V1_METHODS.filter((method) => world.shut(method) !== undefined);
      if (shut.length === 0)
        return skip('load, resume, list, close and delete are all advertised.');
      const connection = await world.bench();
      return worstOf(shut, async (method) => {
        const answered = await world.provoke(connection, method, paramsOf(world, method));
        const what = `${method}, which is not advertised,`;
        return refused(answered, what, CODE.methodNotFound);
      });
    },
  },
  'caps/cross': {
    versions: [1, 2],
    source: onPages('overview', 'optional-methods'),
    sentence: 'Methods of the other version answer −32601.',
    async run(world) {
      const connection = await world.bench();
      const [other, bad] = world.version === 2 ? ([1, 'fail'] as const) : ([2, 'warn'] as const);
      return worstOf<Foreign>(FOREIGN[world.version], async ([method, params]) => {
        const answered = await world.provoke(connection, method, params ?? paramsOf(world, method));
        const what = `${method}, of version ${other},`;
        return refused(answered, what, CODE.methodNotFound, bad);
      });
    },
  },
});
