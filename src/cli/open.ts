// `acp-scope open`: asks the relay that runs for a fresh link; with a file, for one that opens it there.
import { realpathSync } from 'node:fs';
import { askForLink, type FileToOpen } from '../relay/running.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { openBrowser } from './parts/browser.ts';
import { command, EXIT, FileError, FileMistake, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { framePlaces } from './parts/frame-places.ts';
import { portOf, PORT_OPTION } from './parts/option-values.ts';
import { openTrace } from './parts/trace-files.ts';

export const open = command({
  ...WORDS.open,
  details: [
    'FILE        opens it in the page, at frame SEQ; where no relay runs, one is started',
    '--port N    of the relay; default: 7717',
    '--no-open   print the link, open no browser',
  ],
  takes: ['files'],
  options: { port: PORT_OPTION, 'no-open': { type: 'boolean', default: false } },
  async run({ values, files }) {
    const port = portOf(values.port);
    const file = await fileIn(files);
    const answer = await askForLink(stateFolder(), port, file);
    if (answer.ok) {
      console.log(`Open ${answer.url}`);
      if (!values['no-open']) openBrowser(answer.opened);
      return EXIT.ok;
    }
    if (answer.why !== 'none') throw new FileError(answer.message);
    if (file) {
      const { startServing } = await import('./serve.ts');
      return startServing({ port, open: !values['no-open'], file });
    }
    throw new FileError(
      `No relay of yours runs on port ${port}. Run acp-scope to start one, or name its port with --port N.`,
    );
  },
});

/** A trace, and a frame that is in it. Throws UsageError, FileError and FileMistake. */
async function fileIn(words: readonly string[]): Promise<FileToOpen | undefined> {
  const { files, places } = await framePlaces(words);
  const [path, ...more] = files;
  if (path === undefined) return undefined;
  if (more.length > 0) throw new UsageError('open takes one trace file.');
  const frame = places[0]?.spans[0]?.from;
  let last = 0;
  let isThere = frame === undefined;
  for await (const batch of (await openTrace(path)).items) {
    for (const item of batch) if ('event' in item) last = item.event.seq;
    isThere ||= batch.some((item) => 'event' in item && item.event.seq === frame);
    if (isThere) break;
  }
  if (!isThere) throw new FileMistake(`${path} has no #${frame}: its last is #${last}.`);
  return { path: realpathSync(path), ...(frame !== undefined && { frame }) };
}
