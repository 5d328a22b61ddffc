import * as index from 'class-validator';
import * as used from './class-validator';

test('each export but validateSync is that of the index of class-validator', () => {
  const { validateSync, ...parts } = used;
  expect(validateSync).toBeInstanceOf(Function);
  expect(index).toMatchObject(parts);
});
