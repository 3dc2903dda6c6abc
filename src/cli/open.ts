// `acp-scope open`: asks the relay that runs for a fresh link.
import { askForLink } from '../relay/running.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { openBrowser } from './parts/browser.ts';
import { command, EXIT, FileError } from './command.ts';
import { portOf, PORT_OPTION } from './parts/option-values.ts';

export const open = command({
  usage: 'acp-scope open [--port N] [--no-open]',
  summary: 'A fresh link to the running relay.',
  details: [
    '--port N    of the relay; default: 7717',
    '--no-open   print the link, open no browser',
  ],
  options: { port: PORT_OPTION, 'no-open': { type: 'boolean', default: false } },
  async run({ values }) {
    const port = portOf(values.port);
    const answer = await askForLink(stateFolder(), port);
    if (!answer.ok)
      throw new FileError(
        `No relay of yours runs on port ${port}. Run acp-scope to start one, or name its port with --port N.`,
      );
    console.log(`Open ${answer.url}`);
    if (!values['no-open']) openBrowser(answer.url);
    return EXIT.ok;
  },
});
