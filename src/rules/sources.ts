// Where each rule is written, by its id: what a rule of the catalogue may be called.
import { CHILDREN_SOURCES } from './children/sources.ts';
import { INIT_SOURCES } from './init/sources.ts';
import { PEERS_SOURCES } from './peers/sources.ts';
import { RESTORE_SOURCES } from './restore/sources.ts';
import { SESSIONS_SOURCES } from './sessions/sources.ts';
import { TURNS_SOURCES } from './turns/sources.ts';
import { WIRE_SOURCES } from './wire/sources.ts';
import { WORK_SOURCES } from './work/sources.ts';
import type { Source } from './source.ts';

const TABLES = {
  ...CHILDREN_SOURCES,
  ...INIT_SOURCES,
  ...PEERS_SOURCES,
  ...RESTORE_SOURCES,
  ...SESSIONS_SOURCES,
  ...TURNS_SOURCES,
  ...WIRE_SOURCES,
  ...WORK_SOURCES,
};

/** Family and name: `setup/cwd-absolute`. */
export type RuleId = keyof typeof TABLES;

export const SOURCES: Readonly<Record<RuleId, Source>> = TABLES;
