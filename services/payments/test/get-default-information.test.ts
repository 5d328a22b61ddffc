import { randomUUID } from 'node:crypto';
import { wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { deliverOverdue, detect, payFor } from './support/defaults';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
const wholesalerId = randomUUID();

beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

function ask(search = '', id = wholesalerId): Promise<Answer> {
  const path = `/v1/corner-store/default-information${search}`;
  return payments.call(wholesaler(id), 'GET', path);
}

const NOTHING = { paymentDefaults: [], totalPages: 0, totalElements: 0, last: true, first: true };

describe('GET /corner-store/default-information', () => {
  it('returns an empty page without any', async () => {
    expect(await ask()).toMatchObject({ status: 200, text: JSON.stringify(NOTHING) });
    expect((await ask('?page=2')).body).toEqual({ ...NOTHING, first: false });
  });

  it('lists the wholesaler’s own, open and paid, newest first, in the spec’s shape', async () => {
    const older = await deliverOverdue(payments, { wholesalerId, externalId: 'TIENDA-1' });
    await detect(payments);
    await payFor(payments, older, 1058);
    const newer = await deliverOverdue(payments, {
      wholesalerId,
      externalId: 'TIENDA-2',
      principalCents: 12_345,
      interestCents: 1,
      ivaCents: 0,
    });
    await deliverOverdue(payments, { wholesalerId: randomUUID() });
    await detect(payments);

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { body, text } = await ask();
    expect(body).toEqual({
      paymentDefaults: [
        {
          userId: newer.userId,
          paymentDefaultAmount: 123.46,
          paymentDefaultCreatedDate: time,
          paymentDefaultPaidDate: null,
          externalId: 'TIENDA-2',
        },
        {
          userId: older.userId,
          paymentDefaultAmount: 1058,
          paymentDefaultCreatedDate: time,
          paymentDefaultPaidDate: time,
          externalId: 'TIENDA-1',
        },
      ],
      totalPages: 1,
      totalElements: 2,
      last: true,
      first: true,
    });
    expect((await ask('?page=1')).text).toBe(text);
  });

  it('pages by 20; past the end it is empty and last', async () => {
    const id = randomUUID();
    for (let i = 0; i < 41; i++) {
      await deliverOverdue(payments, { wholesalerId: id, externalId: `T-${i}` });
      if (i % 10 === 0) await detect(payments);
    }
    const pages = await Promise.all([1, 2, 3, 4].map((page) => ask(`?page=${page}`, id)));

    expect(
      pages.map(({ body: { paymentDefaults: page, first, last } }) => [page.length, first, last]),
    ).toEqual([
      [20, true, false],
      [20, false, false],
      [1, false, true],
      [0, false, true],
    ]);
    for (const { body } of pages) expect(body).toMatchObject({ totalPages: 3, totalElements: 41 });
    const listed = pages.flatMap(({ body }) =>
      body.paymentDefaults.map(({ externalId }: { externalId: string }) => externalId),
    );
    expect(new Set(listed).size).toBe(41);
    const newest = Array.from({ length: 10 }, (_, index) => `T-${index + 31}`);
    expect(new Set(listed.slice(0, 10))).toEqual(new Set(newest));
    const second = pages[1]?.text;
    for (const name of ['pageNumber', 'page_number', 'PAGE', 'pagenumber']) {
      expect((await ask(`?${name}=2`, id)).text).toBe(second);
    }
    expect((await ask('?page=2&pageNumber=2', id)).text).toBe(second);
    const huge = await ask(`?page=${'9'.repeat(40)}`, id);
    expect([huge.status, huge.body.last]).toEqual([200, true]);
  });

  it.each([
    '?page=',
    '?page=0',
    '?page=-1',
    '?page=1.0',
    '?page=one',
    '?page=1&page=2',
    '?page=1&pageNumber=2',
    '?page=%201',
  ])('refuses %s', async (search) => {
    const answer = await ask(search);
    expect([answer.status, answer.body]).toEqual([
      400,
      { statusCode: 400, message: ['page must be a positive integer'], error: 'Bad Request' },
    ]);
  });
});
