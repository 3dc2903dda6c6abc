// What the system says of processes; on other systems than Linux it is not asked.
import { readdirSync, readFileSync } from 'node:fs';

/** The most memory the process had so far, kB; 0 where the system does not say. */
export function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(said(pid, 'status'))?.[1] ?? 0);
}

/** The commands that run with this state folder, but for the relay itself. */
export function programsOf(state: string): readonly string[] {
  return pids().flatMap((pid) => {
    if (!said(pid, 'environ').split('\0').includes(`ACP_SCOPE_STATE=${state}`)) return [];
    const command = said(pid, 'cmdline').split('\0').join(' ').trim();
    return command === '' || command.includes('--no-open') ? [] : [command];
  });
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function said(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
