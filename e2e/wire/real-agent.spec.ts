// Public agents that nobody here wrote, driven through the page: handshake, a turn with a tool call,
// kill, restart, restore. ACP_SCOPE_REAL_AGENTS names a JSON file that says how each is started:
//   [{ "name", "version", "protocol": 1 | 2, "argv": […], "env": {…}, "prompt"?: "…" }]
// A prompt must make the agent read notes.txt in its folder. Each trace is left in test-results.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../scope.ts';
import { isWhole, readEvents } from '../trace-file.ts';

interface RealAgent {
  readonly name: string;
  readonly version: string;
  readonly protocol: 1 | 2;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly prompt?: string;
}

const list = process.env['ACP_SCOPE_REAL_AGENTS'];
const agents =
  list === undefined ? [] : (JSON.parse(readFileSync(list, 'utf8')) as readonly RealAgent[]);
const PROMPT = 'Read the file notes.txt with your tool for it, and say what it says.';

test.use({ relayOptions: { allow: agents.map(({ argv, env }) => ({ argv, env })) } });

if (agents.length === 0)
  test.skip('Public agents are driven where ACP_SCOPE_REAL_AGENTS names them: here it names none', () =>
    undefined);

for (const agent of agents)
  test(`${agent.name} ${agent.version}, v${agent.protocol}: a turn with a tool, kill, restart, restore`, async ({
    scope,
    folder,
  }, info) => {
    const { argv, env, protocol, prompt = PROMPT } = agent;
    writeFileSync(join(folder, 'notes.txt'), 'the kettle is on the left\n');
    const save = async (name: string, file: Buffer): Promise<Buffer> => {
      writeFileSync(info.outputPath(`${name}.acptrace.jsonl`), file);
      expect(isWhole(file)).toBe(true);
      return file;
    };

    await test.step('handshake', async () => {
      await scope.tryCommand(argv, {
        ask: `v${protocol}`,
        permissions: 'allow once',
        cwd: folder,
        env: Object.entries(env)
          .map(([name, value]) => `${name}=${value}`)
          .join('\n'),
      });
      await expect(scope.connection).toContainText(`protocol v${protocol}`);
      await expect(scope.connection).toContainText(/Agent advertises [1-9]/);
    });

    await test.step('a turn with a tool call', async () => {
      await expect(scope.button('New session…', scope.connection)).toBeEnabled();
      await scope.createSession();
      await expect(scope.rail).toContainText('S1');
      await scope.prompt(prompt);
      const tools = scope.transcript.getByRole('article', { name: /^tool/ });
      await expect(tools.first()).toBeVisible();
      // An agent's own sandbox may refuse its tool: the call is there, and it ended.
      await expect(tools.first()).toContainText(/completed|failed/);
      await scope.turnEnds();
      await expect(scope.transcript.getByRole('article', { name: /^Agent/ }).last()).toBeVisible();
    });

    const names = await scope.rail.getByRole('button', { name: /^Actions of / }).all();
    const name = (await names[0]?.getAttribute('aria-label'))?.replace('Actions of ', '') ?? '';

    await test.step('kill, and a new process', async () => {
      await scope.kill();
      await save('live', await scope.export(name));
      await scope.button('Start again', scope.connection).click();
      await expect(scope.connection).toContainText(`protocol v${protocol}`);
    });

    await test.step('the session is restored with its history', async () => {
      await scope.view('Session');
      await expect(scope.request.getByRole('button', { name: /^Session: ?S1/ })).toBeVisible();
      await scope.restore(protocol === 1 ? 'load' : 'start');
      await expect(scope.result(/\d (replayed|equivalent)/)).toHaveCount(1);
      await expect(scope.result(/Awaiting a response/)).toHaveCount(0);
      await scope.view('Trace');
      await scope.query('is:replay');
      await expect(scope.row(/user_message/).first()).toBeVisible();
      await expect(scope.row(/tool_call/).first()).toBeVisible();
      await scope.query('is:late');
      await expect(scope.page.getByText(/^0 of \d+ frames/)).toBeVisible();
      await scope.query('');
      await scope.prompt(protocol === 1 ? 'And once more.' : 'And again.');
      await scope.turnEnds();
      await expect(scope.transcript).not.toContainText(/−3\d{4}/);
      const file = await save('restored', await scope.export(name));
      expect(readEvents(file).some(({ type }) => type === 'exit')).toBe(false);
    });
  });
