import { SeldomLines } from './seldom-lines';

it('a cause has one line a minute, which tells how often it came; another has its own', () => {
  let nowMs = 0;
  const lines = new SeldomLines(() => nowMs);
  const written: string[] = [];
  const note = (cause: string) =>
    lines.note(cause, (times) => void written.push(`${cause} ${times}`));
  for (let n = 0; n < 863; n += 1) note('ECONNREFUSED');
  note('READONLY');
  nowMs = 59_999;
  note('ECONNREFUSED');
  expect(written).toEqual(['ECONNREFUSED 1', 'READONLY 1']);
  nowMs = 60_000;
  note('ECONNREFUSED');
  expect(written.at(-1)).toBe('ECONNREFUSED 864');
});
