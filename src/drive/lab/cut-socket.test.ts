// The resume lab by URL, behind a proxy that drops sockets: what the lab says of an agent that it lost.
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NodeLauncher } from '../../cli/parts/launcher.ts';
import { addressOf } from '../../relay/transports/address.ts';
import { complaints, lab, verdictsOf } from '../../test/programs/lab-environment.ts';
import { listeningAgent } from '../../test/programs/remote.ts';

/** In front of an agent: drops both sockets of the connection whose answers `isDue` says it of. */
async function cutting(url: string, isDue: (said: string) => boolean): Promise<number> {
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    const drop = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) socket.on('error', drop).on('close', drop);
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      if (!isCut && (isCut = isDue(chunk.toString('latin1')))) drop();
      // The answer comes on another socket: who waits for it has seen the end of this one.
      else if (isCut) setTimeout(() => near.write(chunk), 20);
      else near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const BROKE = 'The connection to the agent broke: its WebSocket was not closed.';
const LOST = 'Its events had no ids, so what was on its way may be lost';

test.each([
  ['ws', 'a turn', 'fail', `Turn 1 did not end: the agent ended (${BROKE}`],
  ['ws', 'the restore', 'fail', `No answer came (incomplete: ${BROKE}`],
  ['http', 'a turn', 'info', 'The replay cannot be compared: '],
  ['http', 'the restore', 'info', 'The replay cannot be compared: '],
])(
  'a socket over %s that is cut in %s is no fault of the agent, and the lab goes on',
  async (way, when, verdict, why) => {
    const url = await listeningAgent();
    const word = when === 'a turn' ? 'agent_message_chunk' : 'user_message_chunk';
    const port = await cutting(url, (said) => said.includes(word));
    const there = url.replace(/:\d+/, `:${port}`).replace('http', way);
    const read = addressOf(there, []);
    if (!read.ok) throw new Error(read.message);
    const dir = mkdtempSync(join(tmpdir(), 'acp-scope-cut-'));
    const told: string[] = [];
    const launcher = new NodeLauncher({ argv: [there], address: read.address }, dir, (text) =>
      told.push(text),
    );
    onTestFinished(async () => void (await launcher.endAll()));
    const report = await lab({ protocol: 1, launcher, values: { variant: ['load'] } });
    expect(verdictsOf(report)).toEqual({ load: verdict });
    expect(complaints(report)[0]).toContain(why);
    if (way === 'http') expect(told).toEqual([expect.stringContaining(LOST)]);
  },
);
