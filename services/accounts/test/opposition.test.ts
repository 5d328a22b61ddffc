import { randomUUID } from 'node:crypto';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { notifyCornerStore, type NoticeKind } from '@fiado/contracts/jobs/notify-corner-store';
import { oppositionAsked } from '@fiado/contracts/jobs/privacy';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import {
  createCustomer,
  newPhone,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { smsAbout } from './support/sms';

const REQUESTS = '/v1/admin/privacy-requests';

describe('the owner of a corner store opposes to reminders', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(() => accounts.stop());

  /** A word by SMS, as the notifier passes it on. */
  async function send(
    word: 'ALTO' | 'ALTA',
    { phone = customer.phoneNumber, at = new Date(), byWhatsapp = false } = {},
  ): Promise<void> {
    const phoneIndex = accounts.context.sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64');
    const data = { phoneIndex, opposes: word === 'ALTO', ...(byWhatsapp && { byWhatsapp }) };
    const aggregate = { id: randomUUID(), version: 1, occurredAt: at };
    await accounts.handle(oppositionAsked, aggregate, data);
  }
  const requests = async () => {
    const path = `${REQUESTS}?userId=${customer.userId}`;
    return (await accounts.call(ops(), 'GET', path)).body.privacyRequests;
  };
  const published = async () =>
    (await accounts.outbox('opposition.changed'))
      .filter((row) => row.aggregate_id === customer.cornerStoreId)
      .sort((a, b) => a.aggregate_version - b.aggregate_version)
      .map(({ queue, data }) => [queue, (data as { opposes: boolean }).opposes]);
  const confirmations = async () =>
    (await smsAbout(accounts, customer.userId)).map(({ template, phone }) => [template, phone]);
  const passADay = () =>
    accounts.rows(
      `UPDATE corner_stores SET opposition_told_at = opposition_told_at - interval '24 hours'
        WHERE id = $1`,
      [customer.cornerStoreId],
    );
  /** A notice of payments. @returns what was sent of it */
  async function notice(kind: NoticeKind): Promise<string[]> {
    const { cornerStoreId } = customer;
    const subjectId = randomUUID();
    const values = { amountCents: 50_000, dueOn: '2026-12-07', reference: '80861056275' };
    const expiresAt = '2026-12-06T02:00:00.000Z';
    const data = { kind, cornerStoreId, wholesalerId, subjectId, values, expiresAt };
    await accounts.handle(notifyCornerStore, { id: cornerStoreId, version: 1 }, data);
    return (await smsAbout(accounts, subjectId)).map(({ template }) => template);
  }

  it('ALTO makes and grants the request: no reminder comes, but codes and overdue debts do', async () => {
    await send('ALTO');
    expect(await requests()).toEqual([
      expect.objectContaining({
        kind: 'opposition',
        channel: 'sms',
        identityProof: 'phone-number',
        status: 'done',
        openedBy: 'sms',
        answeredBy: 'sms',
      }),
    ]);
    expect(await published()).toEqual([['payments', true]]);
    expect(await confirmations()).toEqual([['reminders-ended', customer.phoneNumber]]);

    expect(await notice('payment-due')).toEqual([]);
    expect(await notice('payment-overdue')).toEqual(['payment-overdue']);
    const { status } = await accounts.call(
      wholesaler(wholesalerId),
      'POST',
      `/v1/account/${customer.userId}/verification`,
      { body: { firstName: 'Ana', lastNames: 'Ruiz', phoneNumber: customer.phoneNumber } },
    );
    expect(status).toBe(201);
    expect((await confirmations()).at(-1)).toEqual(['verification-code', customer.phoneNumber]);
  });

  it('ALTA ends it; one confirmation a day answers, whatever is sent', async () => {
    for (const word of ['ALTO', 'ALTO', 'ALTA', 'ALTO', 'ALTA'] as const) await send(word);
    expect((await published()).map(([, opposes]) => opposes)).toEqual([true, false, true, false]);
    expect(await confirmations()).toEqual([['reminders-ended', customer.phoneNumber]]);
    expect(await notice('payment-due')).toEqual(['payment-due']);

    await passADay();
    await send('ALTA');
    expect((await confirmations()).map(([template]) => template)).toEqual([
      'reminders-ended',
      'reminders-resumed',
    ]);
    expect((await requests()).map(({ status }: { status: string }) => status)).toEqual([
      'done',
      'done',
    ]);
  });

  it('the last word that the owner sent holds, however late and in which order they come', async () => {
    const ago = (seconds: number): { at: Date } => ({ at: new Date(Date.now() - seconds * 1000) });
    await send('ALTO', ago(60));
    await send('ALTA', ago(40));
    await send('ALTO', ago(50));
    expect((await published()).map(([, opposes]) => opposes)).toEqual([true, false]);
    expect(await notice('payment-due')).toEqual(['payment-due']);
  });

  it('ALTO by WhatsApp takes back the consent to it, and a word by SMS does not', async () => {
    await accounts.rows(
      `UPDATE users SET whatsapp_agreed_at = now(), whatsapp_source = 'page' WHERE id = $1`,
      [customer.userId],
    );
    const channelsOfNotices = async (): Promise<unknown[]> => {
      await notice('payment-overdue');
      const sent = await accounts.outbox('send-message');
      return sent.slice(-1).map(({ data }) => (data as { byWhatsapp?: true }).byWhatsapp);
    };
    await send('ALTO');
    expect(await channelsOfNotices()).toEqual([true]);
    await send('ALTA');
    await send('ALTO', { byWhatsapp: true });
    expect(await channelsOfNotices()).toEqual([undefined]);
    await send('ALTA', { byWhatsapp: true });
    expect(await channelsOfNotices()).toEqual([undefined]);
    const [ended] = await accounts.rows<{ actor_id: string }>(
      `SELECT actor_id FROM audit_log WHERE action = 'whatsapp.ended' AND object_id = $1`,
      [customer.userId],
    );
    expect(ended).toEqual({ actor_id: 'sms' });
  });

  it('a number that nobody has gets no answer', async () => {
    const before = (await accounts.outbox('send-message')).length;
    await send('ALTO', { phone: newPhone() });
    expect((await accounts.outbox('send-message')).length).toBe(before);
  });

  it('ops grants one, which ends consents to voluntary purposes', async () => {
    await accounts.rows(
      `INSERT INTO consents (user_id, notice_version, purposes, channel)
       VALUES ($1, '1', '{necessary}', 'api'), ($1, '1', '{necessary,voluntary}', 'api')`,
      [customer.userId],
    );
    const opened = await accounts.call(ops(), 'POST', REQUESTS, {
      body: {
        userId: customer.userId,
        kind: 'opposition',
        channel: 'phone',
        identityProof: 'code-by-sms',
      },
    });
    const path = `${REQUESTS}/${opened.body.privacyRequestId}`;
    const granted = await accounts.call(ops(), 'POST', `${path}/answer`, {
      body: { outcome: 'granted' },
    });
    expect(granted.body).toMatchObject({ status: 'done', outcome: 'granted' });
    expect(await notice('payment-due')).toEqual([]);
    const { body } = await accounts.call(ops(), 'GET', path);
    expect(
      body.consents.map(
        ({ purposes, withdrawnAt }: { purposes: string[]; withdrawnAt: unknown }) => [
          purposes.length,
          withdrawnAt === null,
        ],
      ),
    ).toEqual(
      expect.arrayContaining([
        [1, true],
        [2, false],
      ]),
    );
  });
});
