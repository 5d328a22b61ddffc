import { readOptions } from '../options';
import { CREDIT_LIMIT } from '../support/market';
import { blnkHold } from './blnk';
import { formanceHold } from './formance';
import { forEachOf, HOLD_CENTS } from './ledger-peer';

describe('the holds of the peers', () => {
  const stores = [
    { credit: 'credit-0', held: 'held-0' },
    { credit: 'credit-1', held: 'held-1' },
  ];

  it('a hold of Blnk is applied before its answer, and limited by the credit of the store', () => {
    expect(blnkHold(stores, 3)).toMatchObject({
      precise_amount: HOLD_CENTS,
      precision: 100,
      source: 'credit-1',
      destination: 'held-1',
      inflight: true,
      skip_queue: true,
      overdraft_limit: CREDIT_LIMIT,
    });
  });

  it('a hold of Formance is a posting between two accounts of one store', () => {
    expect(formanceHold(7, 3)).toMatchObject({
      postings: [
        {
          source: 'stores:7:credit',
          destination: 'stores:7:held',
          amount: HOLD_CENTS,
          asset: 'MXN/2',
        },
      ],
    });
  });

  it('each hold has a reference of its own', () => {
    const references = [
      blnkHold(stores, 1),
      blnkHold(stores, 1),
      formanceHold(1, 1),
      formanceHold(1, 1),
    ].map((hold) => (hold as { reference: string }).reference);
    expect(new Set(references).size).toBe(references.length);
  });
});

describe('forEachOf', () => {
  it('has its results in the order of the items, whichever is finished first', async () => {
    const items = [30, 1, 20, 2];
    const waited = async (ms: number, at: number): Promise<string> => {
      await new Promise((done) => setTimeout(done, ms));
      return `${at}: ${ms}`;
    };
    expect(await forEachOf(items, waited)).toEqual(['0: 30', '1: 1', '2: 20', '3: 2']);
  });

  it('fails with the first that fails', async () => {
    const failing = forEachOf([1, 2], (item) =>
      item === 2 ? Promise.reject(new Error('refused')) : Promise.resolve(item),
    );
    await expect(failing).rejects.toThrow('refused');
  });
});

describe('the options of the bench', () => {
  it('has no peers unless their programs are given', () => {
    expect(readOptions([], 'out')).toMatchObject({ blnk: undefined, formance: undefined });
    expect(readOptions(['--blnk', '/opt/blnk'], 'out')).toMatchObject({ blnk: '/opt/blnk' });
  });
});
