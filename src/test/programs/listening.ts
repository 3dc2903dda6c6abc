// At which addresses something listens, as Linux tells it.
import { existsSync, readFileSync } from 'node:fs';

/** As hexadecimal digits, the last byte first: `0100007F` is 127.0.0.1. Nothing on other systems. */
export function listeningAt(port: number): readonly string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((table) =>
    readFileSync(table, 'latin1')
      .split('\n')
      .map((row) => row.trim().split(/ +/))
      .flatMap(([, local = '', , state]) => {
        const [address = '', at = ''] = local.split(':');
        // 0A: it listens.
        return state === '0A' && parseInt(at, 16) === port ? [address] : [];
      }),
  );
}
