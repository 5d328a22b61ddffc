import { changeValue } from './change-words';

const say = (es: string): string => es;

it('a request to mark a statement as paid has its state and its day in words', () => {
  expect(changeValue('status', 'closed', say)).toBe('Por pagar');
  expect(changeValue('paidOn', '2020-11-29', say)).toBe('29 nov 2020');
});
