// `acp-scope open`: asks the relay that runs for a fresh link.
import { askForLink } from '../relay/running.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { openBrowser } from './parts/browser.ts';
import { EXIT, parse, type Command } from './command.ts';
import { portOf, PORT_OPTION } from './parts/port.ts';

export const open: Command = {
  usage: 'acp-scope open [--port N] [--no-open]',
  summary: 'A fresh link to the running relay.',
  details: [
    '--port N    of the relay; default: 7717',
    '--no-open   print the link, open no browser',
  ],
  async run(args) {
    const { values } = parse({
      args: [...args],
      options: { port: PORT_OPTION, 'no-open': { type: 'boolean', default: false } },
    });
    const port = portOf(values.port);
    const answer = await askForLink(stateFolder(), port);
    if (!answer.ok) {
      console.error(
        `No relay of yours runs on port ${port}. Run acp-scope to start one, or name its port with --port N.`,
      );
      return EXIT.environment;
    }
    console.log(`Open ${answer.url}`);
    if (!values['no-open']) openBrowser(answer.url);
    return EXIT.ok;
  },
};
