// Times and spans of time as figures of few characters; – where none is known.

const NONE = '–';

const two = (value: number) => String(value).padStart(2, '0');

/** A moment of a trace: `0:01.402`, `12:07.090`, `1:02:03.004`. */
export function formatClock(ms: number): string {
  if (Number.isNaN(ms)) return NONE;
  const all = Math.floor(Math.max(0, ms));
  const seconds = Math.floor(all / 1000);
  const minutes = Math.floor(seconds / 60);
  const front = minutes < 60 ? `${minutes}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  return `${front}:${two(seconds % 60)}.${String(all % 1000).padStart(3, '0')}`;
}

/** The time of day in the reader's zone: `09:00:20.401`. */
export function formatTimeOfDay(date: Date | undefined): string {
  if (!date || Number.isNaN(date.getTime())) return NONE;
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${parts}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The reader's zone at this moment: `UTC`, `UTC+2`, `UTC-3:30`. */
export function formatZone(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** A span: `0.3 ms`, `7.1 ms`, `907 ms`, `4.1 s`, `38 s`, `2:05`, `1:02:03`. */
export function formatSpan(ms: number): string {
  if (Number.isNaN(ms)) return NONE;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** Undefined where there is none; the epoch stands for a time that a file does not tell. */
export function knownDate(iso: string): Date | undefined {
  const date = new Date(iso);
  return date.getTime() >= YEAR_MS ? date : undefined;
}

/** `21 Nov 2026, 09:00:20`, in the reader's own time; undefined: there is no clock behind it. */
export function fullTime(iso: string): string | undefined {
  return knownDate(iso)?.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

const YEAR_MS = 365 * 86_400_000;
