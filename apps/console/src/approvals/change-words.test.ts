import { changeValue } from './change-words';

it('a request to mark a statement as paid has its state and its day in words', () => {
  expect(changeValue('status', 'closed')).toBe('Por pagar');
  expect(changeValue('paidOn', '2020-11-29')).toBe('29 nov 2020');
});
