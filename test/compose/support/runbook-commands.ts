import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const PAGES = resolve(__dirname, '../../../docs/operations');

/**
 * The commands under "First look" of each page, one a line, of those tools that are here. Prometheus
 * does not run in these tests.
 */
export function firstLooks(): [page: string, command: string][] {
  const pages = readdirSync(PAGES).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return pages.flatMap((page) => {
    const text = readFileSync(resolve(PAGES, page), 'utf8');
    const [, block = ''] = /## First look[^#]*?```sh\n([\s\S]*?)```/.exec(text) ?? [];
    const commands = block.replaceAll('\\\n', '').split('\n').filter(Boolean);
    return commands
      .filter((command) => toolsOf(command).every(isHere) && !command.includes('prometheus'))
      .map((command): [string, string] => [page, command]);
  });
}

/** The commands at the beginning and after each pipe, outside quotes. */
function toolsOf(command: string): string[] {
  const parts = command.replaceAll(/'[^']*'|"[^"]*"/g, '').split(/[|;]/);
  return parts.map((part) => part.trim().split(' ')[0] ?? '');
}

function isHere(tool: string): boolean {
  return tool === './production' || spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
}
