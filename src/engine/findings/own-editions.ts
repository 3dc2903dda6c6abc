// The editions that a person opened from files, as the database keeps them. The last one of a version is in force.
import type { EditionId } from '../../acp/editions/edition.ts';
import {
  addEdition,
  editionLine,
  EDITIONS,
  EDITION_IDS,
  isBuiltIn,
  removeEdition,
  useEdition,
} from '../../acp/editions/editions.ts';
import { readEdition } from '../../acp/editions/read-edition.ts';
import { isArray, parseJson } from '../../acp/json.ts';
import type { Version } from '../../acp/methods.ts';
import type { Store } from '../../storage/store.ts';

const KEY = 'editions';

type Notebook = Pick<Store, 'draft' | 'putDraft'>;

/** Makes the stored editions known, and puts them in force. Returns a sentence for each that cannot be read any more. */
export async function recallEditions(store: Notebook): Promise<readonly string[]> {
  return (await storedTexts(store)).flatMap((text) => {
    const edition = readEdition(text);
    if (typeof edition === 'string') return `Cannot read a stored edition: ${edition}.`;
    addEdition(edition);
    useEdition(edition);
    return [];
  });
}

export interface OpenedEdition {
  readonly edition: EditionId;
  readonly words: string;
  readonly version: Version;
  /** False: it is known until the page is reloaded. */
  readonly isStored: boolean;
}

/** Puts the edition of a document in force, and stores it. A sentence without its end says why it cannot be read. */
export async function openEdition(store: Notebook, text: string): Promise<OpenedEdition | string> {
  // Another tab may have stored more than this tab knows.
  await recallEditions(store);
  const edition = readEdition(text);
  if (typeof edition === 'string') return edition;
  // The last one of all, also if it was open before.
  removeEdition(edition.id);
  addEdition(edition);
  useEdition(edition);
  const { id, words, version } = edition;
  return { edition: id, words, version, isStored: await keep(store) };
}

/** Forgets an edition. Returns why not, as a sentence, if another edition changes it. */
export async function forgetEdition(store: Notebook, id: EditionId): Promise<string | undefined> {
  await recallEditions(store);
  const later = EDITION_IDS.find(
    (one) => one !== id && editionLine(one).some((older) => older.id === id),
  );
  if (later !== undefined)
    return `${EDITIONS[later].words} changes this edition. Remove that edition first.`;
  await keep(store, id);
  removeEdition(id);
  return undefined;
}

async function keep(store: Notebook, without?: EditionId): Promise<boolean> {
  const own = EDITION_IDS.filter((id) => !isBuiltIn(id) && id !== without);
  const texts = own.map((id) => JSON.stringify(EDITIONS[id]));
  const text = texts.length === 0 ? '' : JSON.stringify(texts);
  return (await store.putDraft({ key: KEY, text })).ok;
}

async function storedTexts(store: Notebook): Promise<readonly string[]> {
  const draft = await store.draft(KEY);
  const texts = draft.ok && draft.value ? parseJson(draft.value.text) : undefined;
  return isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
}
