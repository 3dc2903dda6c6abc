// In place of what tells the sessions of several traces apart: here is one.
export const chipNames = (): ReadonlyMap<string, ReadonlyMap<string, string>> => new Map();
