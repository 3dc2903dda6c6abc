// Every rule of the catalogue, by family, and the folds they need.
import { AUTH, signInFold } from './init/auth.ts';
import { BACKGROUND, STATE } from './turns/state.ts';
import { BEFORE_HANDSHAKE, begunFold } from './init/before-handshake.ts';
import { CAP_CLIENT } from './init/cap-client.ts';
import { CAP_PARAMS } from './init/cap-params.ts';
import { CAPABILITIES, withdrawalFold } from './init/capabilities.ts';
import { CANCEL_REQUEST } from './turns/cancel-request.ts';
import { CANCEL } from './turns/cancel.ts';
import { CHILD_CONTROL, controlFold } from './children/child-control.ts';
import { familyFold } from './children/child-facts.ts';
import { CHILDREN } from './children/children.ts';
import { CLIENT_FILES, rootsFold, CLIENT_TERMINALS } from './work/client-services.ts';
import { CLOSE, closingFold, deletionFold } from './sessions/close.ts';
import { COMPACTION, compactionFold, PLAN, planFold } from './turns/plan-and-compaction.ts';
import { CONFIG } from './settings/config.ts';
import { settingsFold, wishFold } from './settings/config-facts.ts';
import { DISPLAY_TERMINALS, terminalFold } from './work/terminals.ts';
import { ELICITATION, elicitationFold } from './asking/elicitation.ts';
import { evidenceFold } from './evidence.ts';
import { FRAMING, batchFold, partsFold } from './wire/framing.ts';
import { HTTP, httpFold } from './peers/http.ts';
import { MCP, mcpFold, PROXY, proxyFold, PROXY_UNJUDGED } from './peers/peers.ts';
import { INIT_OFFER, INIT } from './init/init.ts';
import { LISTS, listFold } from './sessions/list.ts';
import { announcedFold, METHOD_RULES } from './wire/methods.ts';
import { messageFold, costFold, spokenFold, MESSAGES } from './turns/messages.ts';
import { MODES_AND_TITLES, titleFold, SETTINGS_KEPT, settingsKeptFold } from './settings/modes.ts';
import { PERMISSION_ANSWERS } from './asking/permission-answers.ts';
import { permissionFold, permissionTitleFold, PERMISSIONS } from './asking/permissions.ts';
import { PROMPT_ECHO, submissionFold } from './turns/prompt-echo.ts';
import { PROMPTS } from './turns/prompts.ts';
import { REPLAY } from './restore/replay.ts';
import { heardFold, markedFold, REPLAY_COMPLETE } from './restore/replay-complete.ts';
import { CURSOR_RULES, cursorFold } from './sessions/cursors.ts';
import { noticeFold, REPLAY_FRAMES } from './restore/replay-frames.ts';
import { REPLACEMENT, lostFold } from './turns/replacement.ts';
import { RESUME_RULES } from './restore/resume.ts';
import { REFUSED, choiceFold } from './settings/refused.ts';
import { RPC_ANSWERS } from './wire/rpc-answers.ts';
import { RPC } from './wire/rpc.ts';
import type { Fold, Rule, Unjudged } from './rule.ts';
import { REFUSED_PARAMS, soundFold } from './wire/refused-params.ts';
import { SCHEMA_RULES } from './wire/schema.ts';
import { silenceFold } from './wire/silence.ts';
import { SETUP_PARAMS, SETUP } from './sessions/setup.ts';
import { setupFold } from './sessions/setup-facts.ts';
import { SETUP_UNKNOWN, strangersFold, earlyFold } from './sessions/setup-unknown.ts';
import { TOOL_CANCEL, cancelFold } from './work/tool-cancel.ts';
import { TOOL_CONTENT } from './work/tool-content.ts';
import { toolFold } from './work/tool-facts.ts';
import { TOOLS } from './work/tools.ts';
import { turnFold } from './turns/turn-facts.ts';
import { windowFold } from './restore/window-facts.ts';

export const RULES: readonly Rule[] = [
  ...FRAMING,
  ...RPC,
  ...RPC_ANSWERS,
  ...SCHEMA_RULES,
  ...REFUSED_PARAMS,
  ...METHOD_RULES,
  ...CAPABILITIES,
  ...CAP_PARAMS,
  ...CAP_CLIENT,
  ...AUTH,
  ...BEFORE_HANDSHAKE,
  ...INIT,
  ...INIT_OFFER,
  ...SETUP_PARAMS,
  ...SETUP,
  ...SETUP_UNKNOWN,
  ...RESUME_RULES,
  ...REPLAY,
  ...REPLAY_FRAMES,
  ...REPLAY_COMPLETE,
  ...SETTINGS_KEPT,
  ...CURSOR_RULES,
  ...LISTS,
  ...CHILDREN,
  ...CHILD_CONTROL,
  ...PROMPTS,
  ...PROMPT_ECHO,
  ...STATE,
  ...BACKGROUND,
  ...MESSAGES,
  ...REPLACEMENT,
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
  ...REFUSED,
  ...CLIENT_FILES,
  ...CLIENT_TERMINALS,
  ...ELICITATION,
  ...MCP,
  ...PROXY,
  ...HTTP,
];

export const FOLDS: readonly Fold[] = [
  evidenceFold,
  markedFold,
  heardFold,
  cursorFold,
  batchFold,
  partsFold,
  silenceFold,
  announcedFold,
  withdrawalFold,
  signInFold,
  soundFold,
  begunFold,
  // These look at the turn as it was before the frame.
  submissionFold,
  closingFold,
  turnFold,
  deletionFold,
  // And these at tool calls.
  permissionTitleFold,
  permissionFold,
  messageFold,
  lostFold,
  spokenFold,
  costFold,
  toolFold,
  terminalFold,
  settingsFold,
  elicitationFold,
  setupFold,
  strangersFold,
  earlyFold,
  familyFold,
  controlFold,
  listFold,
  noticeFold,
  windowFold,
  settingsKeptFold,
  cancelFold,
  planFold,
  compactionFold,
  wishFold,
  choiceFold,
  titleFold,
  rootsFold,
  mcpFold,
  proxyFold,
  httpFold,
];

/** Rules no trace can decide. With RULES, all of the catalogue. */
export const UNJUDGED: readonly Unjudged[] = PROXY_UNJUDGED;
