// Editions of the protocol in files: those that a command line names, and those in the user's configuration.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edition } from '../../acp/editions/edition.ts';
import { addEdition, useEdition } from '../../acp/editions/editions.ts';
import { readEdition } from '../../acp/editions/read-edition.ts';
import { configFolder } from '../../relay/state-folder.ts';
import { FileError } from '../command.ts';
import { reason } from './trace-files.ts';

export const EDITION_OPTION = { type: 'string', multiple: true } as const;

/** Returns the folder of editions that are known without being named: `--profile ID` chooses one. */
function editionsFolder(): string {
  return join(configFolder(), 'editions');
}

/**
 * Makes the editions of the configuration known, and those in these files, which traces are checked against.
 * Throws a FileError for a file that is named and cannot be read; one of the configuration is named on stderr.
 */
export function loadEditions(paths: readonly string[] = []): void {
  const folder = editionsFolder();
  for (const path of filesIn(folder)) {
    const edition = editionIn(path);
    if (typeof edition === 'string') console.error(edition);
    else addEdition(edition);
  }
  for (const path of paths) {
    const edition = editionIn(path);
    if (typeof edition === 'string') throw new FileError(edition);
    addEdition(edition);
    useEdition(edition);
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The edition in a file, or why there is none, as a sentence. */
function editionIn(path: string): Edition | string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return `Cannot read the edition ${path}: ${reason(error)}.`;
  }
  const edition = readEdition(text);
  return typeof edition === 'string' ? `Cannot read the edition ${path}: ${edition}.` : edition;
}
