// Ids of sessions, and how a session is asked for again. Family `setup` of the catalogue; what the
// params themselves must be stands in setup-params.ts, sessions nobody opened in setup-unknown.ts.
import { str } from '../../acp/json.ts';
import { RESTORES } from '../../acp/method-groups.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { fail, judged, undecidable, type Fault } from '../outcome.ts';
import { quote, quoteAll } from '../quote.ts';
import type { Rule } from '../rule.ts';
import { sameDirectory } from './same-directory.ts';
import { frameWords, rootsOf, serversOf, setups } from './setup-facts.ts';

const idUnique: Rule = {
  id: 'setup/session-id-unique',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause: 'a new session gets an id that no other session has',
  on: [
    onAnswer(['session/new', 'session/fork'], ({ result, asked, params }, connection) => {
      const id = str(result, 'sessionId');
      if (id === undefined) return undefined;
      if (id === str(params, 'sessionId'))
        return fail(`${quote(id)}, which is the session to be forked`, {
          pointer: '/result/sessionId',
          session: id,
        });
      const known = connection.sessions.get(id);
      const pointer = '/result/sessionId';
      // Updates may come before the answer, and a list asked for meanwhile may know it already.
      if (known?.announced !== undefined && known.announced < asked.seq)
        return fail(`${quote(id)}, which #${known.announced} named already`, {
          pointer,
          session: id,
        });
      const made = known && setups.of(known.stored).made;
      if (made !== undefined)
        return undecidable(
          `${quote(id)} is also the session that ${frameWords(made, connection)} made; an agent whose store was emptied in between may give ids again`,
          'a recording in which one process gives out both',
          { pointer, session: id },
        );
      return 'pass';
    }),
  ],
};

const cwdMismatch: Rule = {
  id: 'setup/cwd-mismatch',
  versions: [1, 2],
  side: 'client',
  severity: 'warning',
  clause: 'a session is restored or forked in its own working directory',
  on: [
    onRequest([...RESTORES, 'session/fork'], ({ session, params, method }, connection) => {
      const cwd = str(params, 'cwd');
      if (session === undefined || cwd === undefined) return undefined;
      const known = [...setups.of(session.stored).cwds];
      const first = known[0];
      if (first === undefined) return undefined;
      const sameness = known.map(([one]) => sameDirectory(one, cwd));
      if (sameness.includes('same')) return 'pass';
      const [own, where] = first;
      const pointer = '/params/cwd';
      const seen = `${quote(cwd)}, where ${frameWords(where, connection)} has ${quote(own)}`;
      if (sameness.includes('unclear'))
        return undecidable(
          `${seen}; a symbolic link may make them one directory`,
          'a recording in which both are spelled alike',
          { pointer },
        );
      // Of a fork no sentence says more than that the directory is the session's.
      return fail(seen, { pointer, ...(method === 'session/fork' ? { severity: 'warning' } : {}) });
    }),
  ],
};

const dirsNotRestored: Rule = {
  id: 'setup/dirs-not-restored',
  versions: [1, 2],
  side: 'client',
  severity: 'hint',
  clause:
    'a restore gives the whole lists of further roots and MCP servers again; an agent brings none of them back by itself',
  on: [
    onRequest(RESTORES, ({ session, params }, connection) => {
      if (session === undefined) return undefined;
      const { roots, servers, given } = setups.of(session.stored);
      if (given === undefined || roots.length + servers.length === 0) return undefined;
      const where = frameWords(given, connection);
      const faults: Fault[] = [];
      if (roots.length > 0 && rootsOf(params).length === 0)
        faults.push(
          fail(`no \`additionalDirectories\`; ${where} gave ${quoteAll(roots)}`, {
            pointer: '/params',
          }),
        );
      if (servers.length > 0 && serversOf(params).length === 0)
        faults.push(
          fail(`no MCP servers; ${where} gave ${quoteAll(servers)}`, {
            pointer: '/params',
            sentence: 'servers',
          }),
        );
      return judged(faults);
    }),
  ],
};

const concurrent: Rule = {
  id: 'setup/concurrent-restore',
  versions: [1, 2],
  side: 'client',
  severity: 'hint',
  clause: 'a restore is answered before the session is restored again or prompted',
  on: [
    onRequest([...RESTORES, 'session/prompt'], ({ session, method, from }) => {
      if (session === undefined || from !== 'client') return undefined;
      if (session.opening === 0) return 'pass';
      if (method === 'session/prompt' && session.active) return 'pass';
      return fail(`\`${method}\` while a restore of ${quote(session.id)} is open`);
    }),
  ],
};

export const SETUP: readonly Rule[] = [idUnique, cwdMismatch, dirsNotRestored, concurrent];
