// In place of what keeps what is known of a trace beside its bytes: here nothing outlives the page. Who would keep
// it goes on without, as with a trace that cannot be kept.
export const INDEX_VERSION = 0;

export function keepIndex(): never {
  throw new Error('Nothing is kept in the page of one trace.');
}

export const recallIndex = (): void => undefined;
