// The page's way in over plain HTTP: trading the one-time code of its link for the token, and
// asking whether a token holds (a browser never says why a WebSocket was refused).

/** A file that a command gave to this page, and the frame to show. */
export interface GivenFile {
  readonly name: string;
  readonly frame?: number;
}

type LinkEntry =
  | { readonly ok: true; readonly token: string; readonly file?: GivenFile }
  /** Nothing answered: the relay is down, or something blocks us. Try again. */
  | { readonly ok: false; readonly why: 'unreachable' }
  | { readonly ok: false; readonly why: 'refused'; readonly message: string };

type Health =
  | { readonly state: 'good' }
  | { readonly state: 'unreachable' }
  | { readonly state: 'stale' }
  | { readonly state: 'refused'; readonly message: string };

export const STALE =
  'The key of this tab is no longer valid (the relay was restarted). Run "acp-scope open", or use the new link in the terminal.';
export const NO_KEY =
  'This address alone opens nothing: it needs a key. Run "acp-scope open", or use the link in the terminal.';

export async function tradeCode(origin: string, code: string): Promise<LinkEntry> {
  try {
    const response = await fetch(`${origin}/api/code`, {
      method: 'POST',
      // A browser says its own Origin and ignores ours; Node says what it is told.
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ code }),
    });
    const body = (await response.json()) as {
      token?: unknown;
      file?: GivenFile;
      message?: unknown;
    };
    const { token, file } = body;
    if (response.ok && typeof token === 'string') return { ok: true, token, ...(file && { file }) };
    return { ok: false, why: 'refused', message: sentenceOf(body) };
  } catch {
    return { ok: false, why: 'unreachable' };
  }
}

/** The given file's bytes: they can be had once. `code`: of the link this page came by. */
export async function fetchGiven(
  origin: string,
  token: string,
  code: string,
): Promise<Blob | { readonly message: string }> {
  try {
    const response = await fetch(`${origin}/api/file`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        Origin: origin,
      },
      body: JSON.stringify({ code }),
    });
    if (response.ok) return await response.blob();
    return { message: sentenceOf((await response.json()) as object) };
  } catch {
    return { message: 'The relay went away while the file was read. Run acp-scope open again.' };
  }
}

export async function checkHealth(origin: string, token: string): Promise<Health> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/api/health`, { headers });
    if (response.ok) return { state: 'good' };
    if (response.status === 401) return { state: 'stale' };
    return { state: 'refused', message: sentenceOf((await response.json()) as object) };
  } catch {
    return { state: 'unreachable' };
  }
}

function sentenceOf(body: { readonly message?: unknown }): string {
  return typeof body.message === 'string' ? body.message : NO_KEY;
}
