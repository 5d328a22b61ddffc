import { planImport, type CustomerRow, type KnownCornerStore } from './import-plan.rules';

const row: CustomerRow = {
  externalId: 'C-1',
  firstName: 'Ana',
  lastNames: 'Ruiz',
  phone: '+525512345678',
  creditLimitCents: 100_000,
  interestRate: '0.05',
};
const other: CustomerRow = { ...row, externalId: 'C-2', phone: '+525587654321' };

function known(over: Partial<KnownCornerStore> = {}): KnownCornerStore {
  return {
    cornerStoreId: 'store-1',
    userId: 'user-1',
    status: 'approved',
    overdue: false,
    phone: row.phone,
    externalId: null,
    ...over,
  };
}

let ids = 0;
const newId = (): string => `new-${(ids += 1)}`;

describe('planImport', () => {
  it('makes a user and a store for an unknown phone', () => {
    const plan = planImport([row, other], [], newId);
    expect(plan.created.map((one) => one.externalId)).toEqual(['C-1', 'C-2']);
    expect(plan.linked).toEqual([]);
    expect(plan.customers.map((one) => one.status)).toEqual(['pre-approved', 'pre-approved']);
  });

  it('links the store of a known phone', () => {
    const plan = planImport([row], [known({ overdue: true })], newId);
    expect(plan.created).toEqual([]);
    expect(plan.linked).toEqual([{ cornerStoreId: 'store-1', externalId: 'C-1' }]);
    expect(plan.customers).toEqual([
      {
        externalId: 'C-1',
        userId: 'user-1',
        cornerStoreId: 'store-1',
        status: 'in-payment-default',
      },
    ]);
  });

  it('changes nothing for an existing customer', () => {
    const plan = planImport([row], [known({ externalId: 'C-1' })], newId);
    expect(plan.created).toEqual([]);
    expect(plan.linked).toEqual([]);
  });

  it('creates one customer for two equal rows', () => {
    const plan = planImport([row, { ...row }], [], newId);
    expect(plan.created).toHaveLength(1);
    expect(plan.customers[0]).toEqual(plan.customers[1]);
  });

  it.each([
    ['two rows with one phone', [row, { ...row, externalId: 'C-9' }], [], /^customers\.1 /],
    ['two rows with one externalId', [row, { ...other, externalId: 'C-1' }], [], /^customers\.1 /],
    ['two rows with another limit', [row, { ...row, creditLimitCents: 1 }], [], /^customers\.1 /],
    [
      'an externalId with another phone',
      [row],
      [known({ phone: undefined, externalId: 'C-1' })],
      /^customers\.0 /,
    ],
    [
      'a phone with another externalId',
      [other, row],
      [known({ externalId: 'C-7' })],
      /^customers\.1 /,
    ],
    [
      'a phone and an externalId of two stores',
      [row],
      [known(), known({ cornerStoreId: 'store-2', phone: undefined, externalId: 'C-1' })],
      /^customers\.0 /,
    ],
  ])('refuses %s', (_title, rows, stores, message) => {
    expect(() => planImport(rows, stores, newId)).toThrow(
      expect.objectContaining({
        code: 'CUSTOMER_CONFLICT',
        message: expect.stringMatching(message) as string,
      }),
    );
  });
});
