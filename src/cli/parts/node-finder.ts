// Looks into lines at the command line: run where V8 can stop it, as it stops a script that takes too long.
import { createContext, Script } from 'node:vm';
import { findIn, type FindAnswer, type FindAsk, type Finder } from '../../model/query/find.ts';

const RUN = new Script('run()');
const place = createContext({ run: undefined });

function find(ask: FindAsk): FindAnswer {
  const began = performance.now();
  let at: number | undefined;
  let found = new Uint8Array();
  let answer: FindAnswer | undefined;
  place['run'] = () => {
    answer = findIn(ask, (text, sofar) => {
      at = text;
      found = sofar as Uint8Array<ArrayBuffer>;
    });
  };
  try {
    RUN.runInContext(place, { timeout: Math.max(1, Math.ceil(ask.most)) });
  } catch (error) {
    // The error may be of another realm, so it is known by its code alone.
    const { code } = error as { readonly code?: unknown };
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return (
    answer ?? {
      ...{ kind: 'stopped', at, found: found.slice(0, at ?? 0), took: performance.now() - began },
    }
  );
}

export const nodeFinder: Finder = {
  find: (ask, signal) =>
    Promise.resolve(signal?.aborted === true ? { kind: 'aborted' } : find(ask)),
};
