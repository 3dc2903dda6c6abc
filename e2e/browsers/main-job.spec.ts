// The main job in other browsers: an agent is started, prompted, ended, started again and restored, and
// what came back is judged. `npm run e2e:browsers`; what is not installed is said and skipped.
import { test } from '@playwright/test';
import { freshFolder, Relay, removeFolder } from '../relay.ts';
import { BROWSERS } from './drivers.ts';
import { Person } from './person.ts';

/** So long an agent that lives must be seen to live. */
const LIVES_MS = 4000;

for (const browser of BROWSERS)
  test(`the main job in ${browser.name}`, async () => {
    test.skip(browser.missing !== undefined, browser.missing);
    const folder = freshFolder();
    const relay = await Relay.start({ cwd: folder });
    const driver = await browser.start();
    const person = new Person(driver);
    const views = 'nav[aria-label=Views]';
    const connection = '[aria-label=Connection]';
    try {
      await driver.goto(relay.link);
      await person.sees(/\d+ of \d+ presets/);
      await person.click(/^Start$/);
      await person.sees(/initialize/);
      await new Promise((resolve) => setTimeout(resolve, LIVES_MS));
      await person.sees(/Recording/);
      await person.click(/^New session…$/, connection);
      await person.click(/^Create$/, connection);

      await person.click(/^Conversation/, views);
      await person.click(/^Prompt to the agent$/);
      await person.types('mend the fault');
      await person.click(/^Send/, '[aria-label=Prompt]');
      await person.clickUntil(/^Allow once/, /Answered at #\d+/);
      await person.sees(/tests pass/);

      await person.click(/^Trace/, views);
      await person.click(/^Stop$/, connection);
      await person.click(/^SIGTERM/);
      await person.click(/^Start again$/, connection);
      await person.click(/^Restore/, views);
      await person.click(/^List sessions$/);
      await person.click(/mend the fault/, '[aria-label=Session]');
      await person.click(/^(v2 )?start/, '[aria-label="What to ask for"]');
      await person.click(/^Send/, '[aria-label="What will be sent"]');
      await person.sees(/identical|equivalent/);
      await person.click(/^Compare/, views);
      await person.sees(/identical|equivalent/);
    } finally {
      await driver.close();
      await relay.remove();
      removeFolder(folder);
    }
  });
