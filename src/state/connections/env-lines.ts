// Environment variables as a person types them: NAME=VALUE, one a line. The value is all that
// follows the first `=`, blanks and quotes included: no shell reads it.

export type EnvLines =
  | { readonly ok: true; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

export function parseEnv(text: string): EnvLines {
  const env: [string, string][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, at).trim();
    if (at < 0 || !/^[^\s=]+$/.test(name))
      return {
        ok: false,
        message: `Line ${index + 1} of the environment is not NAME=VALUE. Write one variable a line.`,
      };
    env.push([name, line.slice(at + 1)]);
  }
  return { ok: true, env: Object.fromEntries(env) };
}

/** The same with each value covered, whatever its length. */
export function coverEnv(text: string): string {
  return text.replace(/^([^=\n]*=).+$/gm, '$1••••••••');
}

export function printEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
