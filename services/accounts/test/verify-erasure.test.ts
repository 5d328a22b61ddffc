import { randomUUID } from 'node:crypto';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { type StandIn, startStandIn } from '@fiado/chassis/testing/stand-in';
import {
  type ErasedColumnCount,
  type ErasurePhase,
  type PersonErase,
} from '@fiado/contracts/jobs/privacy';
import type { LeftoversQuestion } from '@fiado/contracts/personal-data';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { cancellationCalls, NOTHING_OPEN, REQUESTS, withServicesAt } from './support/cancellations';

const OTHERS = ['transactions', 'payments', 'notifier'] as const;

describe('the check of an erasure', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let services: StandIn;
  let isDown = false;
  /** What the other services answer that they still have. */
  let left: ErasedColumnCount[] = [];
  let asked: LeftoversQuestion[] = [];

  beforeAll(async () => {
    services = await startStandIn(({ path, body }) => {
      if (isDown) return { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } };
      if (!path.endsWith('/leftovers')) {
        return { body: NOTHING_OPEN };
      }
      asked.push(JSON.parse(body) as LeftoversQuestion);
      return { body: { left, objectIds: [] } };
    });
    const config = withServicesAt(services.url);
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(async () => {
    await accounts.stop();
    await services.stop();
  });

  /** Opens the cancellation of a person, and grants it. @returns the id of the request */
  const cancel = (person: Customer): Promise<string> => callsFor(person).blocked();

  /** Delivers what the other services have done of a step. @returns the id of the step */
  const finish = async (phase: ErasurePhase, person = customer): Promise<string> => {
    const { erasureOf, deliver } = callsFor(person);
    const { id } = await erasureOf(phase);
    for (const service of OTHERS) await deliver(id, service, { objectIds: [randomUUID()] });
    return id;
  };
  const callsFor = (person: Customer) =>
    cancellationCalls(
      () => accounts,
      () => person,
    );

  const verify = async (id: string): Promise<Answer['body']> =>
    (await accounts.call(ops(), 'GET', `${REQUESTS}/${id}/verify`)).body;

  /** The first break that a check of the audit log finds. */
  const brokenChain = async (): Promise<{ kind: string; description: string } | null> => {
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `?cursor=${cursor}`;
      const { body } = await accounts.call(ops(), 'GET', `/v1/admin/audit/verify${query}`);
      if (body.break !== null) return body.break;
      cursor = body.nextCursor;
    } while (cursor !== null);
    return null;
  };

  it('looks for the phones of the person, and not for another’s that was typed for them', async () => {
    const careless = await createCustomer(accounts, wholesalerId);
    const neighbour = await createCustomer(accounts, wholesalerId);
    const typed = await accounts.call(
      wholesaler(wholesalerId),
      'POST',
      `/v1/account/${careless.userId}/verification`,
      { body: { firstName: 'Inés', lastNames: 'Soto', phoneNumber: neighbour.phoneNumber } },
    );
    expect(typed.status).toBe(201);
    await cancel(careless);
    const [own] = await accounts.rows<{ index: string }>(
      "SELECT encode(phone_index, 'base64') AS index FROM users WHERE id = $1",
      [careless.userId],
    );
    const jobs = (await accounts.outbox('person.erase')).map(({ data }) => data as PersonErase);
    expect(jobs.map(({ phoneIndexes }) => phoneIndexes)).toEqual([[own?.index], [own?.index]]);

    await finish('block', careless);
    await finish('suppress', careless);
    const left = await accounts.rows<{ kind: string }>(
      `SELECT 'verification' AS kind FROM verifications v JOIN users u USING (phone_index)
        WHERE v.user_id = $1 AND u.id = $2
       UNION ALL
       SELECT 'erased' FROM erased_phones e JOIN users u ON u.phone_index = e.keyed_hash
        WHERE u.id = $2`,
      [careless.userId, neighbour.userId],
    );
    expect(left).toEqual([]);
  });

  it('asks each service what is left, and compares each report with its hashes', async () => {
    const requestId = await cancel(customer);
    const clean = { privacyRequestId: requestId, holds: true, left: [], unavailable: [] };
    expect((await verify(randomUUID())).errorCode).toBe('PRIVACY_REQUEST_NOT_FOUND');
    expect((await verify(requestId)).errorCode).toBe('NOTHING_ERASED_YET');
    await finish('block');
    expect(await verify(requestId)).toMatchObject({ ...clean, reports: [{ phase: 'block' }] });

    const erasureId = await finish('suppress');
    const both = [
      { phase: 'block', holds: true },
      { erasureId, phase: 'suppress', holds: true },
    ];
    asked = [];
    expect(await verify(erasureId)).toMatchObject({ ...clean, reports: both });
    const { userId } = customer;
    const question = { userId, phase: 'suppress', phoneIndexes: [expect.any(String)] };
    expect(asked).toMatchObject([question, question, question]);

    left = [{ table: 'outbox', column: 'data', rows: 2 }];
    await accounts.rows("UPDATE users SET first_name = 'a name' WHERE id = $1", [userId]);
    const found = await verify(requestId);
    expect(found).toMatchObject({ holds: false, reports: both });
    expect(found.left).toEqual([
      { service: 'accounts', table: 'users', column: 'first_name', rows: 1 },
      ...OTHERS.map((service) => ({ service, table: 'outbox', column: 'data', rows: 2 })),
    ]);
    left = [];
    await accounts.rows('UPDATE users SET first_name = NULL WHERE id = $1', [userId]);
    isDown = true;
    const nobody = { holds: false, left: [], unavailable: OTHERS };
    expect(await verify(requestId)).toMatchObject(nobody);
    isDown = false;

    const [kept] = await accounts.rows<{ report: string }>(
      'SELECT report FROM erasures WHERE id = $1',
      [erasureId],
    );
    const report = kept?.report ?? '';
    // With a hash that fits it.
    const replace = (text: string): Promise<object[]> =>
      accounts.rows(
        `UPDATE erasures SET report = $2, report_sha256 = sha256(convert_to($2, 'UTF8')) WHERE id = $1`,
        [erasureId, text],
      );
    expect(await brokenChain()).toBeNull();
    await replace(report.replace('"phase":"suppress"', '"phase":"suppresS"'));
    expect(await verify(requestId)).toMatchObject({
      holds: false,
      reports: [both[0], { ...both[1], holds: false }],
    });
    expect(await brokenChain()).toMatchObject({
      kind: 'changed',
      description: expect.stringContaining(erasureId),
    });
    await replace(report);
    expect(await brokenChain()).toBeNull();
    expect((await verify(requestId)).holds).toBe(true);
  });
});
