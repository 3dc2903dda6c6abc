import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const locked = bundledAgent('--require-sign-in');
test.use({ relayOptions: { allow: [locked] } });

for (const ask of ['v1', 'v2'] as const)
  test(`An agent that answers -32000 in ${ask} is signed in to where the answer is`, async ({
    scope,
    folder,
  }) => {
    await scope.startCommand(locked, { ask, cwd: folder });
    await scope.createSession();

    const signIn = scope.page.getByRole('region', { name: 'Sign-in' });
    await expect(signIn).toContainText('The agent asks for sign-in (−32000)');
    await expect(signIn).toContainText('Run this in a terminal');
    await expect(signIn).toContainText(/agent --store sessions --require-sign-in --login/);

    await scope.button('Sign in', signIn).click();
    await expect(signIn).toBeHidden();
    await scope.createSession();
    await expect(scope.rail).toContainText('S1');
  });

test('Whoever meets -32000 in the conversation signs in there', async ({ scope, folder }) => {
  await scope.startCommand(locked, { cwd: folder });
  await scope.view('Conversation');
  await scope.button('New session').click();
  const signIn = scope.page.getByRole('region', { name: 'Sign-in' });
  // What a method is stands under its name, also where all else of the view stands in the middle.
  const beginOf = (words: string) =>
    signIn.getByText(words, { exact: true }).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.round(range.getBoundingClientRect().left);
    });
  expect(await beginOf('Nothing is asked: the bundled agent only pretends.')).toBe(
    await beginOf('Sign in from a terminal'),
  );
  await scope.button('Sign in', signIn).click();
  await expect(signIn).toBeHidden();
  await scope.newSession();
});
