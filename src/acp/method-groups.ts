// Methods that one must treat alike, each group declared once.

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
