// In place of what speaks with the relay, which is not there: the engine makes these, and nothing asks them.
export const connectionsApi = () => ({});

class Nobody {
  readonly isOpen = false;
}

export { Nobody as Asks, Nobody as LinkSession, Nobody as RelayCalls };
