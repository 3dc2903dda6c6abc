// What the agent asked the user for, by the id that URL elicitations carry.
import { str } from '../../acp/json.ts';
import type { Seq } from '../../trace/event.ts';
import type { Asked, Connection } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onNotification, onRequest } from '../listen.ts';
import type { Fold } from '../rule.ts';

export interface UrlElicitation {
  readonly id: string;
  readonly asked: Asked;
  /** Neither declined, cancelled, refused nor completed so far. */
  outstanding: boolean;
  /** The first `elicitation/complete`. */
  completed: Seq | undefined;
}

/** The last URL elicitation of each id on a connection. */
export const urlElicitations = fact<Connection, Map<string, UrlElicitation>>(() => new Map());

export const elicitationFold: Fold = {
  on: [
    onRequest(['elicitation/create'], ({ params, asked }, connection) => {
      const id = str(params, 'elicitationId');
      if (id === undefined || str(params, 'mode') !== 'url') return;
      const made = { id, asked, outstanding: true, completed: undefined };
      urlElicitations.of(connection).set(id, made);
    }),
    onAnswer(['elicitation/create'], ({ params, asked, result }, connection) => {
      const known = urlElicitations.of(connection).get(str(params, 'elicitationId') ?? '');
      // Accepting a URL is not the end: the interaction goes on elsewhere.
      if (known?.asked === asked && str(result, 'action') !== 'accept') known.outstanding = false;
    }),
    onNotification(['elicitation/complete'], ({ params, seq }, connection) => {
      const known = urlElicitations.of(connection).get(str(params, 'elicitationId') ?? '');
      if (known === undefined) return;
      known.completed ??= seq;
      known.outstanding = false;
    }),
  ],
};
