// Methods that one must treat alike, each group declared once.
import type { Call } from './methods.ts';

/** What a request of the client does, once it succeeds, to the life of the session it makes or names. */
type Effect = 'makes' | 'restores' | 'closes' | 'deletes' | 'none';

type SessionMethod =
  Extract<Call<'client'>, `request session/${string}`> extends `request ${infer Name}`
    ? Name
    : never;

const EFFECTS: Readonly<Record<SessionMethod, Effect>> = {
  'session/new': 'makes',
  'session/fork': 'makes',
  'session/load': 'restores',
  'session/resume': 'restores',
  'session/close': 'closes',
  'session/delete': 'deletes',
  'session/list': 'none',
  'session/archive': 'none',
  'session/unarchive': 'none',
  'session/status': 'none',
  'session/set_title': 'none',
  'session/set_mode': 'none',
  'session/set_config_option': 'none',
  'session/prompt': 'none',
};

export function effectOf(method: string): Effect {
  return Object.hasOwn(EFFECTS, method) ? EFFECTS[method as SessionMethod] : 'none';
}

/** With it the client has done with the session. */
export function endsLife(method: string): boolean {
  const effect = effectOf(method);
  return effect === 'closes' || effect === 'deletes';
}

/** Make a session; the answer names it. */
export const MAKERS = ['session/new', 'session/fork'] as const;

/** Bring a session back, with or without its history. */
export const RESTORES = ['session/load', 'session/resume'] as const;

/** After their answer a session is open, with the settings that the answer tells. */
export const OPENERS = ['session/new', 'session/load', 'session/resume', 'session/fork'] as const;

/** What a person answers. */
export const ASKS = ['session/request_permission', 'elicitation/create'] as const;

export function isMethodOf<Name extends string>(
  group: readonly Name[],
  method: string | undefined,
): method is Name {
  return (group as readonly (string | undefined)[]).includes(method);
}
