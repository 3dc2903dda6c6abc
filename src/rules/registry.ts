// Every rule of the catalogue, by family, and the folds they need.
import { settingsFold } from './config-facts.ts';
import { elicitationFold } from './elicitation-facts.ts';
import { evidenceFold } from './evidence.ts';
import { FRAMING, FRAMING_FOLDS } from './framing.ts';
import { RPC_ANSWERS } from './rpc-answers.ts';
import { RPC } from './rpc.ts';
import type { Fold, Rule, Unjudged } from './rule.ts';
import { terminalFold } from './terminal-facts.ts';
import { toolFold } from './tool-facts.ts';

export const RULES: readonly Rule[] = [...FRAMING, ...RPC, ...RPC_ANSWERS];

export const FOLDS: readonly Fold[] = [
  evidenceFold,
  ...FRAMING_FOLDS,
  toolFold,
  terminalFold,
  settingsFold,
  elicitationFold,
];

/** Rules no trace can decide. With RULES, all of the catalogue. */
export const UNJUDGED: readonly Unjudged[] = [];
