// In place of what speaks with the relay, which is not there: the engine makes these, and nothing asks them.
export const connectionsApi = () => ({});

class Nobody {
  readonly isOpen = false;
}

/** No agent is driven, and none was started from this page. */
export class Driving {
  readonly version = '';
  lead(): void {
    return undefined;
  }
  how(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  whole(): undefined {
    return undefined;
  }
}

/** Nothing is recorded, and nothing comes. */
export class Live {
  grown(): void {
    return undefined;
  }
  stored(): void {
    return undefined;
  }
  forget(): void {
    return undefined;
  }
}

/** What this page has is in its memory. */
export class Writer {
  readonly behind = 0;
  enable(): void {
    return undefined;
  }
  retry(): void {
    return undefined;
  }
  isBehind(): boolean {
    return false;
  }
}

export const settingsOf = <T>(stored: T): T => stored;

export { Nobody as Asks, Nobody as LinkSession, Nobody as RelayCalls };
