import { exampleOf } from './example';
import * as t from './json-schema';

const answer = t.object(
  'Page',
  {
    rows: t.field(
      t.listOf(
        t.object('Row', {
          id: t.field(t.text, 'Its id', 'r-1'),
          state: t.field(t.oneOf(['open', 'closed']), 'Its state'),
          closedAt: t.field(t.nullable(t.text), 'When it was closed', '2026-11-23'),
          change: t.nullable(t.object('Change', { by: t.field(t.text, 'Who', 'ana') })),
        }),
      ),
      'The rows',
    ),
    isLast: t.field(t.flag, 'Whether it is the last'),
    warning: t.field(t.text, 'What is wrong', 'late'),
  },
  ['warning'],
);

it('an example is made of the examples of the fields', () => {
  expect(exampleOf(answer)).toEqual({
    rows: [{ id: 'r-1', state: 'open', closedAt: '2026-11-23', change: null }],
    isLast: true,
  });
});

it('an example has what differs from the fields, at any depth', () => {
  const own = { rows: [{ change: {} }, { closedAt: null }], warning: 'old' };
  expect(exampleOf(answer, own)).toEqual({
    rows: [
      { id: 'r-1', state: 'open', closedAt: '2026-11-23', change: { by: 'ana' } },
      { id: 'r-1', state: 'open', closedAt: null, change: null },
    ],
    isLast: true,
    warning: 'old',
  });
});
