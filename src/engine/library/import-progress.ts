// How far the reading of a file is, as the page shows it.
/** `read`: of the `size` bytes of the file. */
export interface ImportProgress {
  readonly name: string;
  readonly size: number;
  readonly read: number;
  readonly frames: number;
}
