import { execFileSync } from 'node:child_process';

/** Whether a program is to be had on this machine. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The first line of a program's version output; some print it on stderr. */
export function versionOf(program: string, option: string): string {
  if (!isInstalled(program)) return 'not installed';
  const said = execFileSync('sh', ['-c', '"$0" "$1" 2>&1', program, option]).toString();
  return said.split('\n')[0] ?? '';
}
