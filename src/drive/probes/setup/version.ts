// Family A, versions: what the agent answers to handshakes of every age, and before one.
import { protocolVersionIn } from '../../../acp/handshake.ts';
import { CODE, type Json, type JsonObject } from '../../../acp/message.ts';
import { requestLine } from '../../../acp/lines.ts';
import { get, num } from '../../../acp/json.ts';
import {
  onPage,
  onPages,
  inSchema,
  inSdk,
  at,
  fail,
  info,
  pass,
  say,
  skip,
  warn,
  outcomeWords,
} from '../probe.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import { family, type ProbeWorld } from '../world.ts';
import { answersTo } from '../turns/running.ts';

const CONFUSED: readonly number[] = [CODE.invalidRequest, CODE.invalidParams];

/** A handshake on a connection of its own. */
async function shaken(world: ProbeWorld, protocolVersion: number) {
  const connection = await world.open('a');
  const answered =
    protocolVersion === 1 || protocolVersion === 2
      ? await connection.initialize(protocolVersion)
      : await world.provoke(connection, 'initialize', anyShape(world, protocolVersion));
  world.show(answered);
  return { answered, version: protocolVersionIn(answered.result), error: answered.error };
}

/** Both shapes of the fields, so that an agent of either age finds its own. */
function anyShape(world: ProbeWorld, protocolVersion: number): JsonObject {
  const { name } = world.settings;
  return {
    protocolVersion,
    clientCapabilities: {},
    clientInfo: { ...name },
    info: { ...name },
    capabilities: {},
  };
}

const spoken = family({
  versions: [1, 2],
  connections: 1,
  source: onPage(2, 'initialization', 'version-negotiation'),
})({
  'ver/v1': {
    source: onPage(1, 'initialization', 'version-negotiation'),
    sentence: 'initialize asks for version 1: the answer settles on 1.',
    async run(world) {
      const { answered, version, error } = await shaken(world, 1);
      if (version === 1) return pass('It speaks version 1.');
      if (version !== undefined)
        return fail(`Asked for version 1 it answered ${version}. Expected: 1, or −32022.`);
      const told = `Asked for version 1 it ${outcomeWords(answered)}`;
      if (error?.code === CODE.unsupportedVersion)
        return info(`It does not speak version 1: it ${outcomeWords(answered)}.`);
      if (error && CONFUSED.includes(error.code))
        return warn(`${told}. Expected of an agent that does not support the version: −32022.`);
      return fail(`${told}. Expected: a version.`);
    },
  },
  'ver/v2': {
    sentence:
      'initialize asks for version 2: the answer settles on 2, or on 1 where that is the highest.',
    async run(world) {
      const { answered, version, error } = await shaken(world, 2);
      if (version === 2) return pass('It speaks version 2.');
      if (version === 1) return pass('It speaks version 1 only.');
      const told = `Asked for version 2 it answered ${version ?? 'no version'}: it ${outcomeWords(answered)}`;
      if (version !== undefined) return fail(`${told}. Expected: 2, or 1.`);
      if (error?.code === CODE.unsupportedVersion) return info(`${told}.`);
      return say(error ? 'warn' : 'fail', `${told}. Expected: the highest version it speaks.`);
    },
  },
  'ver/future': {
    source: onPages('initialization', 'version-negotiation'),
    sentence:
      'initialize asks for version 65535: the answer is the highest version the agent speaks.',
    async run(world) {
      const { answered, version, error } = await shaken(world, 65535);
      if (version === 65535)
        return fail(
          'It repeats 65535, a version it cannot speak. Expected: the highest it speaks.',
        );
      if (version !== undefined) return pass(`Asked for 65535 it settles on ${version}.`);
      const told = `Asked for version 65535 it ${outcomeWords(answered)}. Expected: the highest version it speaks.`;
      return say(error ? 'warn' : 'fail', told);
    },
  },
  'ver/zero': {
    sentence:
      'initialize asks for version 0: −32022 with the versions it speaks, or 1 of an agent of v1.',
    async run(world) {
      const { answered, version, error } = await shaken(world, 0);
      if (error?.code !== CODE.unsupportedVersion)
        return info(
          version === undefined
            ? `Version 0 ${outcomeWords(answered)}.`
            : `Asked for version 0 it settles on ${version}.`,
        );
      return hasVersions(error.data)
        ? pass('Version 0 was refused with −32022 and the versions it speaks.')
        : warn(
            'Version 0 was refused with −32022 without data.requested and data.supported. Expected: both.',
          );
    },
  },
});

function hasVersions(data: Json | undefined): boolean {
  return num(data, 'requested') === 0 && Array.isArray(get(data, 'supported'));
}

/** Its status, 400, is no answer of the agent. */
const OVER_HTTP =
  'Over HTTP the first line is `initialize`, once: another is refused before it is a message.';

const order = family({ versions: [1, 2], connections: 1 })({
  'ver/early': {
    source: onPages('initialization'),
    sentence: 'A request before initialize is refused with −32600, and initialize still works.',
    async run(world) {
      const connection = await world.open('a');
      if (connection.isHttp) return skip(OVER_HTTP);
      const asked = connection.ask('session/list', {}, 3 * EARLY_MS);
      const isAnswered = () => answersTo(connection, asked.id).length > 0;
      await connection.until(isAnswered, EARLY_MS);
      const init = await connection.initialize(world.version);
      // An agent that starts slowly may answer both at once.
      const early = await asked.answered;
      world.provoked(connection, early);
      world.show(at(connection, early, init));
      const bad = world.version === 2 ? 'fail' : 'warn';
      if (connection.exit || !init.answer)
        return say(
          bad,
          'After a request before initialize the connection is of no use. Expected: −32600.',
        );
      if (init.answer.kind === 'failure')
        return say(
          bad,
          `After a request before initialize, initialize ${outcomeWords(init)}. Expected: a result.`,
        );
      const told = `session/list before initialize ${outcomeWords(early)}`;
      const code = early.error?.code;
      if (code === CODE.invalidRequest) return pass(`${told}, as due.`);
      if (code !== undefined)
        return say(world.version === 2 ? 'warn' : 'info', `${told}. Expected: −32600.`);
      return say(early.answer ? bad : 'warn', `${told}. Expected: −32600.`);
    },
  },
  'ver/reinit': {
    versions: [2],
    source: onPage(2, 'initialization'),
    sentence:
      'initialize may be repeated until the first other request, and is refused with −32600 from then on.',
    async run(world) {
      const connection = await world.open('a');
      if (connection.isHttp) return skip(OVER_HTTP);
      await connection.initialize(2);
      const second = await connection.initialize(2);
      world.provoked(connection, second);
      await connection.request('session/list', {});
      const third = await connection.initialize(2);
      world.provoked(connection, third);
      world.show(at(connection, second, third));
      if (!second.result)
        return warn(
          `A second initialize ${outcomeWords(second)}. Expected: a result, since the client sent no other request before.`,
        );
      if (third.error?.code === CODE.invalidRequest)
        return pass(
          'A second initialize was answered, and one after another request refused with −32600.',
        );
      return warn(`initialize after another request ${outcomeWords(third)}. Expected: −32600.`);
    },
  },
  'rpc/null-id': {
    versions: [2],
    source: inSchema(2, 'RequestId'),
    sentence:
      'Requests with the id null, or 1.5, are refused with −32600 and the id null; the connection goes on.',
    async run(world) {
      const connection = await world.connect('a');
      world.provokedAll(connection);
      const odd = await oddIds(connection, world.settings.quiet);
      const after = await connection.request('session/list', {});
      world.show(at(connection, ...odd.seqs, after));
      if (!after.answer)
        return fail('After requests with the ids null and 1.5 the connection is of no use.');
      if (odd.refused === 2)
        return pass('Ids null and 1.5 were refused with −32600 and the id null.');
      return warn(
        `Of requests with the ids null and 1.5, ${odd.refused} of 2 were rejected with −32600 and the id null. Expected: both.`,
      );
    },
  },
  'rpc/batch': {
    source: inSdk('stream'),
    sentence:
      'An array of requests is refused once, with −32600 and the id null; the connection goes on.',
    async run(world) {
      const connection = await world.connect('a');
      world.provokedAll(connection);
      const from = connection.heard.length;
      const list = (id: string) => requestLine(id, 'session/list', {});
      connection.line(`[${list('b1')},${list('b2')}]`);
      await connection.quiet(world.settings.quiet, EARLY_MS);
      const said = connection.heard.slice(from).filter(({ frame }) => frame.from === 'agent');
      const after = await connection.request('session/list', {});
      world.show(
        at(
          connection,
          ...connection.heard.slice(from, from + 1 + said.length).map(({ frame }) => frame.seq),
          after,
        ),
      );
      if (!after.answer)
        return fail(
          'After an array of requests the connection is of no use. Expected: one −32600.',
        );
      const refusals = said.filter(
        ({ message }) =>
          message.kind === 'failure' &&
          message.error.code === CODE.invalidRequest &&
          message.id.type === 'null',
      );
      if (refusals.length === 1)
        return pass('An array was refused once, with −32600 and the id null.');
      if (said.some(({ message }) => message.kind === 'invalid' && message.reason === 'batch'))
        return info('An array was answered with an array, as drafts of v2 had it.');
      if (said.length === 0)
        return say(
          world.version === 2 ? 'warn' : 'info',
          'An array of requests was not answered at all. Expected: one −32600 with the id null.',
        );
      return info(
        `An array of requests got ${said.length} answers of another kind. Expected: one −32600 with the id null.`,
      );
    },
  },
});

/** What was not answered by then, was passed over. */
const EARLY_MS = 5000;

async function oddIds(connection: ScriptedConnection, quiet: number) {
  const from = connection.heard.length;
  for (const id of ['null', '1.5']) {
    connection.line(`{"jsonrpc":"2.0","id":${id},"method":"session/list","params":{}}`);
    await connection.quiet(quiet, EARLY_MS);
  }
  const said = connection.heard.slice(from);
  return {
    seqs: said.map(({ frame }) => frame.seq),
    refused: said.filter(
      ({ frame, message }) =>
        frame.from === 'agent' &&
        message.kind === 'failure' &&
        message.id.type === 'null' &&
        message.error.code === CODE.invalidRequest,
    ).length,
  };
}

export const VERSION = [...spoken, ...order];
