// The pretended sign-in: a marker in the store says that someone did.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SIGN_IN = {
  id: 'sign-in',
  name: 'Sign in',
  description: 'Nothing is asked: the bundled agent only pretends.',
};
export const TERMINAL_SIGN_IN = {
  id: 'sign-in-terminal',
  name: 'Sign in from a terminal',
  description: 'Run this agent in a terminal with --login, then start it again.',
  args: ['--login'],
};

export class SignIn {
  private readonly folder: string;

  constructor(store: string) {
    this.folder = store;
  }

  done(): boolean {
    return existsSync(this.marker());
  }

  in(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeFileSync(this.marker(), '', { mode: 0o600 });
  }

  out(): void {
    rmSync(this.marker(), { force: true });
  }

  private marker(): string {
    return join(this.folder, 'signed-in');
  }
}
