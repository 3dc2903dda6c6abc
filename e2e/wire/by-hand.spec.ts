// Any request of the agent is left to a person, with ready answers, right and wrong, to edit and send.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../relay.ts';
import { expect, test } from '../scope.ts';

const player = [process.execPath, program('raw.mjs'), 'play'];
test.use({ relayOptions: { allow: [player] } });

test('Files, terminals and methods nobody knows wait for a person, who answers rightly or wrongly', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  const said = [
    { id: 0, result: { protocolVersion: 1, agentCapabilities: {} } },
    { id: 7, method: '_vendor/ask', params: { what: 'anything' } },
    { id: 8, method: 'fs/read_text_file', params: { sessionId: 's', path: '/a' } },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  writeFileSync(join(folder, '0.bytes'), said.join(''));
  await scope.choose({ ask: 'v1' });
  await page
    .getByRole('group', { name: 'Who answers files, terminals and unknown requests' })
    .getByRole('radio', { name: 'ask me' })
    .check({ force: true });
  await scope.tryCommand(player, { cwd: folder });
  await scope.openDrawer('Waiting');
  const asked = (method: string) => scope.drawer.getByRole('group', { name: `Agent ${method}` });
  const answer = async (method: string, how: RegExp) => {
    await scope.openDrawer('Waiting');
    await scope.button('More', asked(method)).click();
    await page.getByRole('menuitem', { name: how }).click();
  };
  await answer('_vendor/ask', /-32603/);
  await expect(scope.editor).toContainText('Internal error');
  await expect(scope.drawer).toContainText('To ←7 _vendor/ask');
  await scope.button('Send', scope.drawer).click();
  await scope.openDrawer('Waiting');
  await expect(asked('fs/read_text_file')).toBeVisible();
  await expect(asked('_vendor/ask')).toBeHidden();
  await answer('fs/read_text_file', /wrong types/);
  await expect(scope.drawer).toContainText('To ←8 fs/read_text_file');
  await expect(scope.drawer).toContainText('content is the number 7; expected a string');
  await answer('fs/read_text_file', /Right by the schema/);
  await expect(scope.editor).toContainText('Hello');
  await scope.button('Send', scope.drawer).click();
  await scope.openDrawer('Waiting');
  await expect(asked('fs/read_text_file')).toBeHidden();
  const answers = () =>
    readFileSync(join(folder, 'wire.client'), 'utf8')
      .split('\n')
      .filter((line) => !line.includes('initialize'));
  await expect
    .poll(answers)
    .toEqual([
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Internal error"}}',
      '{"jsonrpc":"2.0","id":8,"result":{"content":"Hello\\n"}}',
      '',
    ]);
});
