// The steps that frames make in a session: in its life, its turns and its restores. The index and the checker store
// sessions in their own ways; both take these steps, and nothing else feeds the windows.
import { get } from '../../acp/json.ts';
import type { Failure, Success } from '../../acp/message.ts';
import { endsLife, isMethodOf, MAKERS } from '../../acp/methods.ts';
import type { SessionUpdate } from '../../acp/update.ts';
import { streamOf, type Frame } from '../../trace/event.ts';
import { errorWords } from '../words.ts';
import type { TurnPrompt } from './activity.ts';
import { contentParts, textOf, updateText } from './content-parts.ts';
import { answerLife, type SessionLife } from './life.ts';
import { restoreOf, type Restore } from './restore.ts';
import type { Turns } from './turns.ts';
import { itemKindOf } from './variants.ts';
import type { Window, WindowPlace } from './window.ts';
import { Windows } from './windows.ts';

/** A frame, and the number by which its reader names frames in windows. */
interface Named {
  readonly frame: Frame;
  readonly name: number;
}

/** The sessions of one connection under way: their turns, and their restores as `Windows`. */
export class SessionSteps<S extends SessionLife, Own extends object> extends Windows<S, Own> {
  readonly turns: Turns;

  constructor(turns: Turns) {
    super();
    this.turns = turns;
  }

  /** Takes a request of the client about a session. Returns the restore that it asks for, which the caller begins. */
  requested(session: S, asked: TurnPrompt, version: number | undefined): Restore | undefined {
    const { method, params } = asked.request;
    this.turns.asked(session.activity, asked);
    if (method === 'session/prompt')
      this.prompted(session, () => textOf(contentParts(get(params, 'prompt'))));
    else if (endsLife(method)) this.live(session);
    else return restoreOf(method, params, version);
    return undefined;
  }

  /**
   * Takes the response to a request of the client. `about`: the session that the request names; `made`: the one that
   * the result names; `request`: the number of the request's frame. Returns the window that the response ends.
   */
  responded(
    asked: TurnPrompt,
    message: Success | Failure,
    { frame, name, request }: Named & { readonly request: number },
    { about, made }: { readonly about: S | undefined; readonly made: S | undefined },
  ): (Window<S> & Own) | undefined {
    const { method } = asked.request;
    const error = message.kind === 'failure' ? message.error : undefined;
    if (about && method === 'session/prompt') this.settled(about);
    if (made) this.made(request, made);
    const ended = this.answered(request, name, error && errorWords(error), streamOf(frame));
    if (about) this.turns.answered(about.activity, asked, frame.seq, message);
    const opened = isMethodOf(MAKERS, method) ? made : about;
    if (opened) answerLife(opened, method, error, frame.seq);
    return ended;
  }

  /**
   * Takes the refusal of a request to which no response comes. `request`: the number of the request's frame; `name`:
   * the number of the frame that refuses. Returns the window that ends.
   */
  rejected(
    session: S | undefined,
    asked: TurnPrompt,
    request: number,
    name: number,
    problem: string,
  ): (Window<S> & Own) | undefined {
    if (session) this.turns.refused(session.activity, asked);
    return this.refused(request, name, problem);
  }

  /** Returns what an update of the agent is to a restore; undefined: it is live. */
  placeOf(
    session: S,
    { variant, update }: SessionUpdate,
    frame: Frame,
  ): WindowPlace<S, Window<S> & Own> | undefined {
    return this.place(session, itemKindOf(variant), () => updateText(update), streamOf(frame));
  }

  /** Takes an update of the agent at its place. `child`: the session that the update announces. */
  updated(
    session: S,
    place: WindowPlace<S, Window<S> & Own> | undefined,
    { variant, update }: SessionUpdate,
    { frame, name }: Named,
    child: S | undefined,
  ): void {
    if (place) this.take(place, name, itemKindOf(variant), variant, update);
    if (child) this.announce(session, child, update, name, frame.seq);
  }
}
