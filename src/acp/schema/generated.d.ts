// The modules that `npm run generate` makes, so that the code compiles before it has run. What
// they hold is said where they are loaded (load.ts).
declare module '*/generated/shapes-v1.js' {
  export const shapes: unknown;
}
declare module '*/generated/shapes-v2.js' {
  export const shapes: unknown;
}
declare module '*/generated/docs-v1.js' {
  export const docs: unknown;
}
declare module '*/generated/docs-v2.js' {
  export const docs: unknown;
}
