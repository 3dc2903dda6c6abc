export function seeded(seed: number): (end: number) => number;
