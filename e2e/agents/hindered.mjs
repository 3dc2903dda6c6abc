// Loaded into a process of ours: a disk that is full and a clock that was set, for as long as a file in
// its state folder says so, as `{"full":true}` or `{"clock":3600000}`, in milliseconds.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const told = join(process.env.ACP_SCOPE_STATE ?? '.', 'hindered.json');
const { write, readFileSync } = fs;
const RealDate = Date;

function hindrance() {
  try {
    return JSON.parse(readFileSync(told, 'utf8'));
  } catch {
    return {};
  }
}

fs.write = (...args) => {
  if (!hindrance().full) return write(...args);
  const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  process.nextTick(args.at(-1), error);
};
// By these, `promisify` knows what it resolves with.
for (const symbol of Object.getOwnPropertySymbols(write)) fs.write[symbol] = write[symbol];
syncBuiltinESMExports();

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length > 0) super(...args);
    else super(globalThis.Date.now());
  }
  static now() {
    return RealDate.now() + (hindrance().clock ?? 0);
  }
};
