import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createWholesaler, startAccounts } from './support/accounts';

describe('wholesalers', () => {
  const accounts = forAllTests(startAccounts);

  it('a new wholesaler has the default settings, and is published', async () => {
    const body = await createWholesaler(accounts, { name: 'Bodega Sur' });

    expect(body).toEqual({
      wholesalerId: expect.any(String),
      name: 'Bodega Sur',
      minimumTransactionAmount: 100,
      commissionRate: 0.02,
      paymentTermDays: 14,
      deliveryWordEnabled: true,
      deliveryWordRequired: false,
      confirmationRequired: true,
      deliveryOverageRate: 0.1,
      smsToUnknownPerDay: null,
      phoneChangeHold: 'shared',
      batchEnabled: true,
      batchItemsPerDay: 0,
      batchAmountPerDay: 0,
      holdUnprovenDays: 0,
      settlementEvery: 'weekly',
      apiKeyId: expect.any(String),
      apiKey: expect.stringMatching(/^fiado_test_/),
    });
    const [event] = (await accounts.outbox('wholesaler.changed')).filter(
      (row) => row.aggregate_id === body.wholesalerId,
    );
    expect(event).toMatchObject({
      queue: 'transactions',
      aggregate_version: 1,
      data: {
        wholesalerId: body.wholesalerId,
        name: 'Bodega Sur',
        minimumTransactionCents: 10_000,
        commissionRate: '0.02',
        deliveryOverageRate: '0.1',
        phoneChangeHold: 'shared',
        batchEnabled: true,
        batchItemsPerDay: 0,
        batchCentsPerDay: 0,
        holdUnprovenDays: 0,
        settlementEvery: 'weekly',
      },
    });
  });

  it('the list shows a wholesaler as its own page does', async () => {
    const { wholesalerId } = await createWholesaler(accounts, { name: 'Bodega Norte' });
    const { body: shown } = await accounts.call(
      ops(),
      'GET',
      `/v1/admin/wholesalers/${wholesalerId}`,
    );
    const { body: list } = await accounts.call(ops(), 'GET', '/v1/admin/wholesalers?limit=1');
    expect(list.wholesalers).toEqual([shown]);
  });

  it('ops changes only the named settings, and the version increases', async () => {
    const { wholesalerId } = await createWholesaler(accounts, { commissionRate: 0.015 });
    const { status, body } = await accounts.call(
      ops(),
      'PUT',
      `/v1/admin/wholesalers/${wholesalerId}`,
      {
        body: { minimumTransactionAmount: 250.5, confirmationRequired: false },
      },
    );

    expect(status).toBe(200);
    expect(body).toMatchObject({
      wholesalerId,
      minimumTransactionAmount: 250.5,
      confirmationRequired: false,
      commissionRate: 0.015,
    });
    expect(body).not.toHaveProperty('apiKey');
    const events = (await accounts.outbox('wholesaler.changed')).filter(
      (row) => row.aggregate_id === wholesalerId,
    );
    expect(events.map((row) => row.aggregate_version)).toEqual([1, 2]);
    expect(events[1]?.data).toMatchObject({ minimumTransactionCents: 25_050 });
  });

  it.each([
    [{}, 'name is required'],
    [{ name: '' }, 'name should not be empty'],
    [{ name: 'A', colour: 'red' }, 'property colour should not exist'],
    [
      { name: 'A', minimumTransactionAmount: 1.001 },
      'minimumTransactionAmount must be an amount from 0 to 100000000 with at most two decimals',
    ],
    [
      { name: 'A', commissionRate: -0.1 },
      'commissionRate must be a rate from 0 to 1 with at most 6 decimals',
    ],
    [
      { name: 'A', commissionRate: '0.1' },
      'commissionRate must be a rate from 0 to 1 with at most 6 decimals',
    ],
    [
      { name: 'A', commissionRate: 1.000001 },
      'commissionRate must be a rate from 0 to 1 with at most 6 decimals',
    ],
    [
      { name: 'A', deliveryOverageRate: 10 },
      'deliveryOverageRate must be a rate from 0 to 1 with at most 6 decimals',
    ],
    [{ name: 'A', paymentTermDays: 1.5 }, 'paymentTermDays must be an integer number'],
    [{ name: 'A', deliveryWordEnabled: 'yes' }, 'deliveryWordEnabled must be a boolean value'],
  ])('refuses %j', async (body, text) => {
    const answer = await accounts.call(ops(), 'POST', '/v1/admin/wholesalers', { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
    expect(answer.body.message).toContain(text);
  });

  it('refuses a required delivery word where words are off, and changes nothing', async () => {
    const text = 'deliveryWordRequired must be false while deliveryWordEnabled is false';
    const { wholesalerId } = await createWholesaler(accounts, { deliveryWordRequired: true });
    const path = `/v1/admin/wholesalers/${wholesalerId}`;
    const both = { deliveryWordEnabled: false, deliveryWordRequired: true };

    const answers = [
      await accounts.call(ops(), 'POST', '/v1/admin/wholesalers', { body: { name: 'A', ...both } }),
      await accounts.call(ops(), 'PUT', path, { body: both }),
      await accounts.call(ops(), 'PUT', path, { body: { deliveryWordEnabled: false } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([400, [text]]);
    }

    const off = { deliveryWordEnabled: false, deliveryWordRequired: false };
    expect((await accounts.call(ops(), 'PUT', path, { body: off })).body).toMatchObject(off);
    const required = { deliveryWordRequired: true };
    expect((await accounts.call(ops(), 'PUT', path, { body: required })).status).toBe(400);
  });

  it('a wholesaler whose stored settings contradict each other can still change others', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    await accounts.rows(
      `UPDATE wholesalers SET delivery_word_enabled = false, delivery_word_required = true
        WHERE id = $1`,
      [wholesalerId],
    );
    const path = `/v1/admin/wholesalers/${wholesalerId}`;
    expect((await accounts.call(ops(), 'PUT', path, { body: { name: 'B' } })).status).toBe(200);
  });

  it('an unknown wholesaler is not found', async () => {
    for (const id of ['3fa85f64-5717-4562-b3fc-2c963f66afa6', '1']) {
      const answer = await accounts.call(ops(), 'PUT', `/v1/admin/wholesalers/${id}`, { body: {} });
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'WHOLESALER_NOT_FOUND']);
    }
  });

  it('the audit log is append-only', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const rows = await accounts.rows('SELECT * FROM audit_log WHERE object_id = $1', [
      wholesalerId,
    ]);
    expect(rows).toEqual([
      expect.objectContaining({ actor_kind: 'ops', actor_id: 'ops', action: 'wholesaler.created' }),
    ]);
    await expect(accounts.rows('UPDATE audit_log SET action = $1', ['x'])).rejects.toThrow();
    await expect(accounts.rows('DELETE FROM audit_log')).rejects.toThrow();
  });
});
