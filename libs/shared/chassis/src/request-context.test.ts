import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { RUN_SOURCES } from './testing/run-sources';

/**
 * What a program prints, as JSON. A process of its own: other work that carries ids is remembered for
 * the life of the process. Its function `serve` notes the id of a request at its start, after a pause
 * and when its response has closed.
 */
function printed(program: string): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...RUN_SOURCES,
      '-e',
      `const { EventEmitter } = require('node:events');
       const { setImmediate: turn } = require('node:timers/promises');
       const { currentRequestId, withPassingRequestId, withRequestId } =
         require('${resolve(__dirname, 'request-context.ts')}');
       const serve = (id, closeAfter = turn()) => {
         const res = new EventEmitter();
         return withPassingRequestId(id, res, async () => {
           const seen = [currentRequestId()];
           await turn();
           seen.push(currentRequestId());
           await closeAfter;
           res.emit('close');
           return [...seen, currentRequestId() ?? 'none'];
         });
       };
       const work = async () => { ${program} };
       work().then((result) => process.stdout.write(JSON.stringify(result)));`,
    ],
    { encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('ids of passing requests', () => {
  it('reach their work until the last of them has ended', () => {
    expect(printed(`return [await serve('one'), await serve('next')];`)).toEqual([
      ['one', 'one', 'none'],
      ['next', 'next', 'none'],
    ]);
  });

  it('stay while another request runs', () => {
    const program = `
      const first = serve('first');
      const second = serve('second', first);
      return [await first, await second];`;
    expect(printed(program)).toEqual([
      ['first', 'first', 'first'],
      ['second', 'second', 'none'],
    ]);
  });

  it('stay in a process with other work that carries ids', () => {
    const program = `
      return withRequestId('other', async () => {
        await serve('passing');
        return currentRequestId();
      });`;
    expect(printed(program)).toBe('other');
  });
});
