declare module 'virtual:viewer-worker' {
  /** The script of the worker, whole. */
  const script: string;
  export default script;
}
