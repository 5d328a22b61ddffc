import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile, outputFor, RAW_OUTPUT, readableLines } from './service-output';

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

const time = new Date(2026, 10, 22, 14, 1, 22).toISOString();

describe('a line of a service on a terminal', () => {
  it('an SMS is shown in a box, wrapped at words', () => {
    const text = `509530 es tu clave para confirmar tu pedido de $500.00 con Abarrotera del Centro. No la compartas.`;
    expect(readableLines('notifier', `SMS to ********0101: ${text}`)).toEqual([
      '┌─ SMS to ********0101 ────────────────────────────────────────────────────┐',
      '│ 509530 es tu clave para confirmar tu pedido de $500.00 con Abarrotera    │',
      '│ del Centro. No la compartas.                                             │',
      '└──────────────────────────────────────────────────────────────────────────┘',
    ]);
  });

  it('a link that is longer than a row of the box stays whole', () => {
    const link = `https://fiado.example/pedido/${'a'.repeat(60)}`;
    const rows = readableLines('notifier', `SMS to ********0101: Confirma: ${link} hoy`);
    expect(rows[2]).toBe(`│ ${link} │`);
  });

  it.each([
    [40, 'WARN  accounts: slow'],
    [50, 'ERROR accounts: slow'],
    [60, 'ERROR accounts: slow'],
  ])('a log line of level %i is shown as one line with its time', (level, shown) => {
    const line = JSON.stringify({ level, time, service: 'accounts', msg: 'slow' });
    expect(readableLines('accounts', line)).toEqual([`14:01:22 ${shown}`]);
  });

  it('an error is shown with its message and without its stack', () => {
    const err = { message: 'connection refused', stack: 'Error: connection refused\n at x' };
    expect(readableLines('payments', JSON.stringify({ level: 50, msg: 'failed', err }))).toEqual([
      'ERROR payments: failed: connection refused',
    ]);
  });

  it('a log line below a warning, and an empty line, are not shown', () => {
    expect(
      readableLines('accounts', JSON.stringify({ level: 30, time, msg: 'listening' })),
    ).toEqual([]);
    expect(readableLines('accounts', '')).toEqual([]);
  });

  it.each(['TypeError: x is not a function', '{not JSON', '{"level":"high"}'])(
    '%s is shown as it is',
    (line) => {
      expect(readableLines('accounts', line)).toEqual([`accounts: ${line}`]);
    },
  );
});
