// Every rule of the catalogue, by family, and the folds they need.
import { AUTH, AUTH_FOLDS } from './auth.ts';
import { BACKGROUND } from './background.ts';
import { CAP_CLIENT } from './cap-client.ts';
import { CAP_PARAMS } from './cap-params.ts';
import { CAPABILITIES, CAPABILITIES_FOLDS } from './capabilities.ts';
import { CANCEL_REQUEST } from './cancel-request.ts';
import { CANCEL } from './cancel.ts';
import { CLIENT_FILES, CLIENT_FILES_FOLDS } from './client-files.ts';
import { CLIENT_TERMINALS } from './client-terminals.ts';
import { CLOSE, CLOSING_FOLDS, DELETION_FOLDS } from './close.ts';
import { COMPACTION, COMPACTION_FOLDS } from './compaction.ts';
import { CONFIG, CONFIG_FOLDS } from './config.ts';
import { settingsFold } from './config-facts.ts';
import { DISPLAY_TERMINALS } from './display-terminals.ts';
import { ELICITATION } from './elicitation.ts';
import { elicitationFold } from './elicitation-facts.ts';
import { evidenceFold } from './evidence.ts';
import { FRAMING, FRAMING_FOLDS } from './framing.ts';
import { HTTP_UNJUDGED } from './http.ts';
import { INIT_OFFER } from './init-offer.ts';
import { INIT, INIT_FOLDS } from './init.ts';
import { activityFold, historyFold } from './history-facts.ts';
import { LISTS } from './list.ts';
import { listFold } from './list-facts.ts';
import { METHOD_FOLDS, METHOD_RULES } from './methods.ts';
import { MCP, MCP_FOLDS } from './mcp.ts';
import { MESSAGE_FOLDS, MESSAGES } from './messages.ts';
import { MODES_AND_TITLES, TITLE_FOLDS } from './modes.ts';
import { PERMISSION_ANSWERS } from './permission-answers.ts';
import { permissionFold } from './permission-facts.ts';
import { PERMISSION_TITLE_FOLDS, PERMISSIONS } from './permissions.ts';
import { PLAN, PLAN_FOLDS } from './plan.ts';
import { PROMPT_ECHO, PROMPT_ECHO_FOLDS } from './prompt-echo.ts';
import { PROMPTS } from './prompts.ts';
import { PROXY, PROXY_FOLDS, PROXY_UNJUDGED } from './proxy.ts';
import { REPLAY } from './replay.ts';
import { REPLAY_FRAMES } from './replay-frames.ts';
import { RESUME_RULES } from './resume.ts';
import { RPC_ANSWERS } from './rpc-answers.ts';
import { RPC } from './rpc.ts';
import type { Fold, Rule, Unjudged } from './rule.ts';
import { SCHEMA_FOLDS, SCHEMA_RULES } from './schema.ts';
import { SETTINGS_KEPT, settingsKeptFold } from './settings-kept.ts';
import { SETUP_PARAMS } from './setup-params.ts';
import { setupFold } from './setup-facts.ts';
import { SETUP_UNKNOWN, SETUP_UNKNOWN_FOLDS } from './setup-unknown.ts';
import { SETUP } from './setup.ts';
import { STATE } from './state.ts';
import { terminalFold } from './terminal-facts.ts';
import { TOOL_CANCEL, TOOL_CANCEL_FOLDS } from './tool-cancel.ts';
import { TOOL_CONTENT } from './tool-content.ts';
import { toolFold } from './tool-facts.ts';
import { TOOLS } from './tools.ts';
import { turnFold } from './turn-facts.ts';
import { windowFold } from './window-facts.ts';

export const RULES: readonly Rule[] = [
  ...FRAMING,
  ...RPC,
  ...RPC_ANSWERS,
  ...SCHEMA_RULES,
  ...METHOD_RULES,
  ...CAPABILITIES,
  ...CAP_PARAMS,
  ...CAP_CLIENT,
  ...AUTH,
  ...INIT,
  ...INIT_OFFER,
  ...SETUP_PARAMS,
  ...SETUP,
  ...SETUP_UNKNOWN,
  ...RESUME_RULES,
  ...REPLAY,
  ...REPLAY_FRAMES,
  ...SETTINGS_KEPT,
  ...LISTS,
  ...PROMPTS,
  ...PROMPT_ECHO,
  ...STATE,
  ...BACKGROUND,
  ...MESSAGES,
  ...PERMISSIONS,
  ...PERMISSION_ANSWERS,
  ...CANCEL,
  ...CANCEL_REQUEST,
  ...CLOSE,
  ...TOOLS,
  ...TOOL_CONTENT,
  ...TOOL_CANCEL,
  ...DISPLAY_TERMINALS,
  ...PLAN,
  ...COMPACTION,
  ...MODES_AND_TITLES,
  ...CONFIG,
  ...CLIENT_FILES,
  ...CLIENT_TERMINALS,
  ...ELICITATION,
  ...MCP,
  ...PROXY,
];

export const FOLDS: readonly Fold[] = [
  evidenceFold,
  ...FRAMING_FOLDS,
  ...SCHEMA_FOLDS,
  ...METHOD_FOLDS,
  ...CAPABILITIES_FOLDS,
  ...AUTH_FOLDS,
  ...INIT_FOLDS,
  // These look at the turn as it was before the frame.
  ...PROMPT_ECHO_FOLDS,
  ...CLOSING_FOLDS,
  turnFold,
  ...DELETION_FOLDS,
  // And these at tool calls.
  ...PERMISSION_TITLE_FOLDS,
  permissionFold,
  ...MESSAGE_FOLDS,
  toolFold,
  terminalFold,
  settingsFold,
  elicitationFold,
  setupFold,
  ...SETUP_UNKNOWN_FOLDS,
  listFold,
  historyFold,
  windowFold,
  activityFold,
  settingsKeptFold,
  ...TOOL_CANCEL_FOLDS,
  ...PLAN_FOLDS,
  ...COMPACTION_FOLDS,
  ...CONFIG_FOLDS,
  ...TITLE_FOLDS,
  ...CLIENT_FILES_FOLDS,
  ...MCP_FOLDS,
  ...PROXY_FOLDS,
];

/** Rules no trace can decide. With RULES, all of the catalogue. */
export const UNJUDGED: readonly Unjudged[] = [...PROXY_UNJUDGED, ...HTTP_UNJUDGED];
