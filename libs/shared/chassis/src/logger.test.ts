import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { symbols } from 'pino';
import { RUN_SOURCES } from './testing/run-sources';
import { createLogger, type Logger } from './logger';
import { withRequestId } from './request-context';

const SECRET = 'what-nobody-may-read';

/** What a logger writes while something is done with it. */
function written(work: (log: Logger) => void): string {
  const lines: string[] = [];
  const log = Object.assign(createLogger('test', 'trace'), {
    [symbols.streamSym]: { write: (line: string) => lines.push(line) },
  });
  work(log);
  return lines.join('');
}

it.each([
  'authorization',
  'code',
  'errorCode',
  'phoneNumber',
  'firstName',
  'lastNames',
  'fullName',
  'apiKey',
  'accessToken',
  'word',
  'deliveryWord',
  'base64Content',
])('the field %s is not written, at the top or two levels below it', (field) => {
  const fields = { [field]: SECRET };
  const line = written((log) => log.info({ ...fields, a: fields, b: { c: fields } }, 'said'));

  expect(line).not.toContain(SECRET);
  expect(line.match(/\[redacted\]/g)).toHaveLength(3);
});

it('an error is written with its name, message, code and stack, and its causes, and no more', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'users_phone_index_key',
    detail: SECRET,
    parameters: [SECRET],
    query: SECRET,
    where: SECRET,
  });
  const error = Object.assign(new TypeError('failed', { cause }), { body: SECRET, config: SECRET });

  const line = written((log) => log.error({ err: error }, 'broken'));

  expect(line).not.toContain(SECRET);
  expect(JSON.parse(line).err).toEqual({
    type: 'TypeError',
    message: 'failed',
    stack: expect.stringContaining('logger.test'),
    cause: {
      type: 'Error',
      message: 'duplicate key',
      sqlState: '23505',
      constraint: 'users_phone_index_key',
      stack: expect.stringContaining('logger.test'),
    },
  });
});

it('a line below a request carries the request’s id, and one outside carries none', () => {
  const lines = written((log) => {
    withRequestId('r-1', () => log.info('inside'));
    log.info('outside');
  }).split('\n');

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'test', requestId: 'r-1' });
  expect(JSON.parse(lines[1] ?? '')).not.toHaveProperty('requestId');
});

it.each(['process.exit(3)', 'setTimeout(() => { throw new Error() })', ''])(
  'a process that ends by `%s` has written all its lines',
  (end) => {
    const program = `
      const { createLogger } = require('${resolve(__dirname, 'logger.ts')}');
      const log = createLogger('test', 'info');
      for (let i = 0; i < 3; i += 1) log.info({ i }, 'line');
      ${end}`;
    const { stdout } = spawnSync(process.execPath, [...RUN_SOURCES, '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout.match(/"msg":"line"/g)).toHaveLength(3);
  },
);
