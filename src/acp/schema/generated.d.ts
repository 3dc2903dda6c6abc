// Types of the modules that `npm run generate` makes, so that the code compiles before it has run.
declare module '*/generated/shapes-v1.js' {
  export const shapes: import('./shape.ts').Shapes;
}
declare module '*/generated/shapes-v2.js' {
  export const shapes: import('./shape.ts').Shapes;
}
declare module '*/generated/valid-v1.js' {
  export const validators: import('./shape.ts').Validators;
}
declare module '*/generated/valid-v1-unstable.js' {
  export const validators: import('./shape.ts').Validators;
}
declare module '*/generated/valid-v2.js' {
  export const validators: import('./shape.ts').Validators;
}
declare module '*/generated/valid-v2-unstable.js' {
  export const validators: import('./shape.ts').Validators;
}
