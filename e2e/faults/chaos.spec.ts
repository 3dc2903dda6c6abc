// Everything that can end, freeze, fill up or come back does, while agents talk through taps, and one to
// the page that drives it. What the editor got, and what the driven one said, is what the page has stored,
// byte for byte. A run comes again from its seed; a long one is `npm run chaos`.
import { seeded } from '../chaos/seeded.mjs';
import { drive, endDriven, judge, type Driven } from '../chaos/driven.ts';
import { HINDERED, Talk, type Heard } from '../chaos/talk.ts';
import { ENDS_RELAY, TRIALS } from '../chaos/trials.ts';
import { peakOf, programsOf } from '../processes.ts';
import { expect, test } from '../scope.ts';
import { bytesFrom, isWhole, readEvents, sha256 } from '../trace-file.ts';

const SHORT = '11 13 1950 300';
const [seed = 0, trials = 0, lines = 0, rate = 0] = (process.env['ACP_SCOPE_CHAOS'] ?? SHORT)
  .split(' ')
  .map(Number);
const isLong = process.env['ACP_SCOPE_CHAOS'] !== undefined;

test.skip(process.platform === 'win32', 'Nothing can be stopped for a while there.');

test.use({ relayOptions: { preload: HINDERED, trust: true } });

test(`R-21 R-26 R-27 R-28 R-32 R-33 R-44 R-55 N1 N15: seed ${seed}: nothing is lost or doubled, whatever ends, freezes or fills up`, async ({
  scope,
  folder,
}) => {
  // A run by hand may be as long as it is told.
  if (isLong) test.setTimeout(0);
  scope.watch.expect(/./);
  const random = seeded(seed);
  const heard: Heard[] = [];
  const begin = () => {
    const name = `talk-${heard.length + 1}`;
    return new Talk(scope.relay, name, random(1 << 30), rate, folder);
  };
  let talk = begin();
  const nextAgent = async () => {
    talk.killAgent();
    heard.push(await talk.end());
    talk = begin();
  };
  const driven: Driven[] = [];
  const driveNext = async () => {
    const next = { name: `driven-${driven.length + 1}`, seed: random(1 << 30), wasLeft: false };
    driven.push(next);
    await drive(scope, next, rate, folder);
  };
  await expect(scope.page.getByRole('heading', { name: 'Trace of talk-1' })).toBeAttached();
  await driveNext();
  const said = () => talk.lines + heard.reduce((sum, { lines }) => sum + lines, 0);

  const names = Object.keys(TRIALS);
  const told: string[] = [];
  for (let done = 1; done <= trials; done++) {
    await expect.poll(said, { timeout: 0 }).toBeGreaterThanOrEqual((lines * done) / (trials + 1));
    // Each once before any comes again.
    const round = told.slice(told.length - (told.length % names.length));
    const left = names.filter((name) => !round.includes(name));
    const name = left[random(left.length)] ?? '';
    told.push(name);
    await test.step(`${done}. ${name}`, () => TRIALS[name]?.({ scope, random, nextAgent }));
    // What the relay started ends with it.
    const last = driven.at(-1);
    if (last && ENDS_RELAY.includes(name)) {
      last.wasLeft = true;
      await driveNext();
    }
    if (isLong) console.log(`${String(done).padStart(4)}. ${name}, after ${said()} lines`);
  }
  await expect.poll(said, { timeout: 0 }).toBeGreaterThanOrEqual(lines);
  heard.push(await talk.end());
  const last = driven.at(-1);
  if (last) await endDriven(scope, last);

  // What ends the agents of a killed tap waits some seconds for them.
  await expect
    .poll(() => programsOf(scope.relay.state), 'programs that outlived their end')
    .toEqual([]);
  const peak = peakOf(scope.relay.pid);
  expect(peak, 'kB of the relay').toBeLessThan(256 * 1000);
  for (const { name, sha256: sum, lines } of heard) {
    const trace = scope.runsOf(name).first();
    const count = lines.toLocaleString('en-US');
    await expect(trace).toHaveAttribute('title', new RegExp(`\n${count} frames, `));
    const file = await scope.export(name);
    expect(isWhole(file), `${name} is whole`).toBe(true);
    const times = readEvents(file).map(({ at }) => Number(at));
    expect(
      times.findIndex((at, i) => at < (times[i - 1] ?? 0)),
      `${name}: times`,
    ).toBe(-1);
    expect(sha256(bytesFrom('agent', file)), `${name}: the bytes that the editor got`).toBe(sum);
  }
  let answered = 0;
  for (const one of driven) answered += await judge(scope, one);
  expect(answered, 'lines of driven agents').toBeGreaterThan(0);
  if (isLong)
    console.log(
      `seed ${seed}: ${said()} lines of ${heard.length} tapped agents and ${answered} of ${driven.length} driven ones, ${trials} trials: none lost, none twice; the relay had at most ${peak} kB`,
    );
});
