// Faults of the bundled agent, chosen in the page: each shows where a person would look for it.
import { expect, test, type Scope } from '../scope.ts';

/** A session with a turn in it, and its agent, which misbehaves, killed and started again. */
async function readyToRestore(scope: Scope, misbehave: string, ask: 'v1' | 'v2'): Promise<void> {
  await scope.startBundled({ misbehave, ask });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.kill();
  await scope.startAgain();
  await scope.chooseSession(/quick/);
}

test('replay-after-answer: history behind the answer is late', async ({ scope }) => {
  await readyToRestore(scope, 'replay-after-answer', 'v2');
  await scope.restore('start');
  await expect(scope.notAsDue(/start v2/)).toBeVisible();
  await scope.view('Trace');
  await expect(scope.row(/Replay window, resume \d+, from start, .*\d late/)).toBeVisible();
  await expect(scope.row(/\d, late, agent to client/).first()).toBeVisible();
});

test('replay-without-cursor: history that nobody asked for is not allowed', async ({ scope }) => {
  await readyToRestore(scope, 'replay-without-cursor', 'v2');
  await scope.restore('omitted');
  await expect(scope.notAsDue(/omitted v2/)).toBeVisible();
  await scope.view('Trace');
  await expect(scope.row(/Replay window, resume \d+, .*not allowed/)).toBeVisible();
});

test('accepts-unknown-cursor: what had to be refused was taken', async ({ scope }) => {
  await readyToRestore(scope, 'accepts-unknown-cursor', 'v2');
  await scope.restore('unknown');
  await expect(scope.notAsDue(/unknown v2/)).toBeVisible();
});

test('stdout-noise: lines that are no messages are rows of their own', async ({ scope }) => {
  await scope.startBundled({ misbehave: 'stdout-noise' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.query('type:bad');
  await scope
    .row(/agent to client, not a message/)
    .first()
    .click();
  await expect(scope.detail).toContainText(/not JSON/i);
  await expect(scope.detail.getByRole('region', { name: /Bytes of/ })).not.toBeEmpty();
});

test('crash-mid-turn: the exit says how, and what it leaves open', async ({ scope }) => {
  await scope.startBundled({ misbehave: 'crash-mid-turn', ask: 'v1' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.rail).toContainText('exited 139');
  await scope.showConnection();
  await expect(scope.connection).toContainText(/exited with 139 .*session\/prompt/);
  await expect(scope.row(/exit/).last()).toBeVisible();
});

test('never-answers: the prompt waits, and the drawer says since when', async ({ scope }) => {
  await scope.startBundled({ misbehave: 'never-answers', ask: 'v1' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.view('Trace');
  await expect(scope.row(/request, session\/prompt, .*waits for an answer/)).toBeVisible();
  await scope.openDrawer('Waiting');
  await expect(scope.drawer.getByRole('row', { name: /Client session\/prompt/ })).toBeVisible();
});

test('split-utf8: characters cut between two writes arrive whole', async ({ scope }) => {
  await scope.startBundled({ misbehave: 'split-utf8', permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText(/tests pass ✓/);
  await scope.query('type:bad');
  await expect(scope.page.getByText(/^0 of \d+ frames/)).toBeVisible();
});
