import { ROWS, ROWS_OF_PHASE } from './rows';

describe('the rows of the table', () => {
  it('each row is measured by one phase', () => {
    const measured = Object.values(ROWS_OF_PHASE).flat();
    expect(measured.toSorted()).toEqual(Object.keys(ROWS).toSorted());
  });
});
