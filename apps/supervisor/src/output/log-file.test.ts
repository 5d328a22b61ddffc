import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLogFile } from './log-file';
import { outputFor, RAW_OUTPUT } from './service-output';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiado-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the log file', () => {
  it('keeps at most two files of its size, the newest lines last', () => {
    const path = join(folder, 'logs/fiado.log');
    const file = openLogFile(path, 10);
    for (let line = 1; line <= 9; line++) file.write(`line ${line}`);

    expect(readFileSync(`${path}.1`, 'utf8')).toBe('line 7\nline 8\n');
    expect(readFileSync(path, 'utf8')).toBe('line 9\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('goes on where the start before it ended', () => {
    const path = join(folder, 'fiado.log');
    openLogFile(path, 10).write('line 1');
    openLogFile(path, 10).write('line 2');

    expect(readFileSync(`${path}.1`, 'utf8')).toBe('line 1\nline 2\n');
  });
});

describe('the output of the services', () => {
  it('is readable on a terminal, and as the services print it elsewhere', () => {
    expect(outputFor({ isTTY: true }, folder, jest.fn())).toMatchObject({
      stdio: 'pipe',
      logFile: join(folder, 'logs/fiado.log'),
    });
    expect(outputFor({}, folder, jest.fn())).toBe(RAW_OUTPUT);
  });
});
