import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { type StandIn, type StandInAnswer, startStandIn } from '@fiado/chassis/testing/stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { PersonErase } from '@fiado/contracts/jobs/privacy';
import { buildPackages } from '../src/privacy/build-packages';
import { finishErasure, runErasures } from '../src/privacy/run-erasures';
import {
  type Accounts,
  approve,
  createCustomer,
  type Customer,
  importCustomers,
  newPhone,
  startAccountsWithWholesaler,
} from './support/accounts';
import { cancellationCalls, NOTHING_OPEN, REQUESTS, withServicesAt } from './support/cancellations';
import { approveChange, changeEnded, person, shownChange } from './support/change-requests';

/** No other customer's. */
const NAMES = { firstName: 'Xóchitl', lastNames: 'Quetzal' };

describe('a person who asks to cancel their data', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let services: StandIn;
  let debts: object;
  let isAway: boolean;
  let isNotifierAway = false;

  beforeAll(async () => {
    services = await startStandIn(({ path, body }) => {
      if (isAway) return { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } };
      if (path.startsWith('/internal/personal-data')) return answerPersonalData(body);
      return { body: { ...debts, cornerStoreIds: [] } };
    });
    const config = withServicesAt(services.url);
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
  });
  beforeEach(async () => {
    isAway = false;
    debts = NOTHING_OPEN;
    customer = await createCustomer(accounts, wholesalerId);
    await approve(accounts, customer.cornerStoreId);
  });
  afterAll(async () => {
    await accounts.stop();
    await services.stop();
  });

  const { opened, grant, blocked, erasureOf, deliver, finish, statusOf, violated } =
    cancellationCalls(
      () => accounts,
      () => customer,
    );
  const askedOf = async (erasureId: string): Promise<string[]> =>
    (await accounts.outbox('person.erase'))
      .filter(({ data }) => (data as PersonErase).erasureId === erasureId)
      .map(({ queue }) => queue)
      .toSorted();
  const rowOf = ({ externalId, firstName, lastNames, phoneNumber }: Customer): object => ({
    externalId,
    firstName,
    lastNames,
    phoneNumber,
    creditLimit: 1000,
    interestRate: 0.05,
  });

  /** transactions and payments know an object each; the notifier is asked with both. */
  const answerPersonalData = (body: string): StandInAnswer => {
    const { objectIds, after } = JSON.parse(body) as { objectIds: string[]; after?: string };
    const isNotifier = objectIds.length > 1;
    if (isNotifier && isNotifierAway) {
      return { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } };
    }
    const fields = { note: after === undefined ? 'page one' : 'page two' };
    return {
      body: {
        rows: [{ table: 'messages', fields }],
        objectIds: [randomUUID()],
        next: after === undefined && isNotifier ? { table: 'messages', after: 'key' } : null,
      },
    };
  };

  it('gets a copy of all that is kept, once every service has answered', async () => {
    const verification = await accounts.call(
      wholesaler(wholesalerId),
      'POST',
      `/v1/account/${(await createCustomer(accounts, wholesalerId)).userId}/verification`,
      { body: { ...NAMES, phoneNumber: newPhone() } },
    );
    expect(verification.status).toBe(201);
    customer = await createCustomer(accounts, wholesalerId, { firstName: 'Xóchitl' });
    await accounts.call(
      wholesaler(wholesalerId),
      'POST',
      `/v1/account/${customer.userId}/verification`,
      {
        body: {
          ...NAMES,
          phoneNumber: customer.phoneNumber,
          contacts: [{ fullName: 'Raúl Vecino', phoneNumber: '+525512340102' }],
        },
      },
    );
    const requestId = await opened('access');
    const path = `${REQUESTS}/${requestId}/package`;
    expect((await grant(requestId)).body.status).toBe('executing');
    isNotifierAway = true;
    await buildPackages(accounts.context);
    expect((await accounts.call(ops(), 'GET', path)).body.errorCode).toBe(
      'PRIVACY_PACKAGE_NOT_READY',
    );
    isNotifierAway = false;
    // It is tried again after a minute.
    await buildPackages(accounts.context);
    expect(await statusOf(requestId)).toBe('executing');
    await accounts.rows(
      "UPDATE privacy_requests SET package_tried_at = now() - interval '61 seconds'",
    );
    await buildPackages(accounts.context);
    // The service's own loop may have taken it, and still be making it.
    await until('the copy is made', async () => (await statusOf(requestId)) === 'done');
    const [kept] = await accounts.rows<{ storage_key: string }>(
      'SELECT storage_key FROM privacy_packages WHERE request_id = $1',
      [requestId],
    );
    const sealed = await accounts.context.documents.get(kept?.storage_key ?? '');
    const files = unzipSync(
      accounts.context.sealer.openBytes(sealed, 'privacy-package', requestId),
    );
    const text = Buffer.from(files['data.json'] ?? []).toString();
    expect(Object.keys(files)).toEqual(['data.json', 'leeme.html']);
    for (const part of [NAMES.firstName, customer.phoneNumber, customer.externalId, 'page two']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Raúl Vecino');
    for (const part of ['5512340102', 'Ana María', 'phoneIndex', 'codeSalt']) {
      expect(text).not.toContain(part);
    }
    expect((await accounts.call(ops(), 'GET', path)).status).toBe(200);
    await accounts.rows("UPDATE privacy_packages SET ready_at = now() - interval '73 hours'");
    await buildPackages(accounts.context);
    await expect(accounts.context.documents.get(kept?.storage_key ?? '')).rejects.toThrow('ENOENT');
    expect((await accounts.call(ops(), 'GET', path)).status).toBe(422);
  });

  it('is refused while they owe, and waits while a service cannot be asked', async () => {
    const requestId = await opened();
    debts = { ...debts, openDebts: 1 };
    expect((await grant(requestId)).body.errorCode).toBe('PERSON_HAS_OPEN_BALANCE');
    for (const held of [
      'creditBalanceCents',
      'reservedCents',
      'recoveryCents',
      'unmatchedCents',
      'openDisputes',
    ]) {
      debts = { ...NOTHING_OPEN, [held]: 1 };
      expect((await grant(requestId)).body.errorCode).toBe('PERSON_HAS_OPEN_BALANCE');
    }
    isAway = true;
    expect((await grant(requestId)).status).toBe(503);
    expect(await statusOf(requestId)).toBe('open');
  });

  it('is granted by two people, and not when a debt opened between them', async () => {
    const requestId = await opened();
    const path = `${REQUESTS}/${requestId}/answer`;
    const askedBy = async (): Promise<string> => {
      const { status, body } = await accounts.call(person(), 'POST', path, {
        body: { outcome: 'granted' },
      });
      expect(status).toBe(202);
      return body.changeRequestId;
    };
    const approved = async (id: string): Promise<Record<string, unknown>> => {
      expect((await approveChange(accounts, id)).status).toBe(200);
      await changeEnded(accounts, id);
      return shownChange(accounts, id);
    };
    const first = await askedBy();
    debts = { ...debts, openDebts: 1 };
    expect(await approved(first)).toMatchObject({
      status: 'failed',
      failure: 'PERSON_HAS_OPEN_BALANCE',
    });
    expect(await statusOf(requestId)).toBe('open');
    debts = { ...debts, openDebts: 0 };
    expect(await approved(await askedBy())).toMatchObject({ status: 'executed' });
    expect(await statusOf(requestId)).toBe('executing');
  });

  it('is blocked at once: no credit, no account call, no import', async () => {
    const requestId = await blocked();
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}`;
    const { cornerStore } = (await accounts.call(ops(), 'GET', path)).body;
    expect(cornerStore).toMatchObject({ status: 'pre-approved', creditLimit: 0 });
    const call = `/v1/account/${customer.userId}/verification`;
    const started = await accounts.call(wholesaler(wholesalerId), 'POST', call, {
      body: { firstName: 'Ana', lastNames: 'Ruiz', phoneNumber: customer.phoneNumber },
    });
    expect(started.body.errorCode).toBe('USER_NOT_FOUND');
    expect((await approve(accounts, customer.cornerStoreId)).body.errorCode).toBe(
      'CORNER_STORE_IS_BLOCKED',
    );
    expect((await importCustomers(accounts, wholesalerId, [rowOf(customer)])).body).toMatchObject({
      errorCode: 'CUSTOMER_ERASED',
      errorMessage: expect.stringMatching(/^customers\.0:/),
    });
    expect(await statusOf(requestId)).toBe('executing');
    const { id } = await erasureOf('block');
    expect(await askedOf(id)).toEqual(['payments', 'transactions']);
    await deliver(id, 'transactions');
    await deliver(id, 'payments');
    // A service that has not answered holds `done` back.
    expect(await statusOf(requestId)).toBe('executing');
    expect(await askedOf(id)).toEqual(['notifier', 'payments', 'transactions']);
    await deliver(id, 'notifier');
    expect(await statusOf(requestId)).toBe('done');
    // They never had a debt: the suppression begins at once.
    expect(await erasureOf('suppress')).toMatchObject({ state: 'running' });
  });

  it('is erased when the retention ends, with one report in the audit log, and no import brings them back', async () => {
    const requestId = await blocked();
    // They owe again: another day.
    debts = { ...debts, openDebts: 1 };
    await finish((await erasureOf('block')).id);
    const { id, state: stateThen, due_at: dueAt } = await erasureOf('suppress');
    expect(stateThen).toBe('waiting');
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60_000);
    debts = { ...debts, openDebts: 0 };
    await accounts.rows('UPDATE erasures SET due_at = now() WHERE id = $1', [id]);
    await runErasures(accounts.context);
    await finish(id);
    // Delivered again, as after a crash.
    await finish(id);
    await finishErasure(accounts.context, id);

    const [row] = await accounts.rows(
      `SELECT u.*, s.name, s.erased_at, c.external_id
         FROM users u JOIN corner_stores s ON s.user_id = u.id
         JOIN customers c ON c.corner_store_id = s.id WHERE u.id = $1`,
      [customer.userId],
    );
    expect(row).toMatchObject({
      first_name: null,
      last_names: null,
      phone: null,
      erased_at: expect.any(Date),
      external_id: expect.stringMatching(/^erased-[0-9a-f]{12}$/),
    });
    const { report, report_sha256: hash, state, name_key: key } = await erasureOf('suppress');
    expect([state, key]).toEqual(['done', null]);
    expect(hash).toEqual(createHash('sha256').update(report).digest());
    expect(JSON.parse(report).erased).toEqual(
      expect.arrayContaining([
        { service: 'accounts', table: 'users', column: 'first_name', rows: 1 },
        { service: 'notifier', table: 'messages', column: 'sealed', rows: 2 },
      ]),
    );
    // Those of transactions, and here the user, the store and its customer.
    expect(JSON.parse(report).kept).toEqual([
      expect.objectContaining({ rows: 7, until: null }),
      expect.objectContaining({ rows: expect.any(Number), until: null }),
    ]);
    const shown = await accounts.call(ops(), 'GET', `${REQUESTS}/${requestId}`);
    expect(shown.body.erasures).toMatchObject([
      { phase: 'block', state: 'done' },
      { erasureId: id, phase: 'suppress', state: 'done', report, sha256: hash.toString('hex') },
    ]);
    expect(shown.body.erasures[1].parts).toEqual(
      expect.arrayContaining([
        {
          service: 'notifier',
          doneAt: expect.any(String),
          erased: [{ table: 'messages', column: 'sealed', rows: 2 }],
        },
      ]),
    );
    const audited = await accounts.rows(
      "SELECT details FROM audit_log WHERE object_id = $1 AND action = 'person.erased'",
      [customer.userId],
    );
    expect(audited).toEqual([
      { details: expect.objectContaining({ sha256: hash.toString('hex') }) },
    ]);
    // In a folder that is a volume: the rest of a container's file system is read-only.
    const folder = join(accounts.context.config.DATA_DIR, 'audit-anchors');
    expect(await readFile(join(folder, 'erased-persons.jsonl'), 'utf8')).toContain(id);
    const other = { ...rowOf(customer), externalId: 'another' };
    expect((await importCustomers(accounts, wholesalerId, [other])).status).toBe(409);
    const { body } = await accounts.call(
      ops(),
      'POST',
      `/v1/admin/wholesalers/${wholesalerId}/customers`,
      { body: { customers: [other], skipErased: true } },
    );
    expect(body).toEqual({ customers: [] });
    const consented = (acceptedAt: Date): object => ({
      ...other,
      consent: { noticeVersion: '2', acceptedAt: acceptedAt.toISOString() },
    });
    const old = consented(new Date(Date.now() - 3_600_000));
    expect((await importCustomers(accounts, wholesalerId, [old])).status).toBe(409);
    const anew = await importCustomers(accounts, wholesalerId, [
      consented(new Date(Date.now() + 1_000)),
    ]);
    const [{ userId: newUserId }] = anew.body.customers;
    expect([anew.status, newUserId === customer.userId]).toEqual([201, false]);
    expect(
      await accounts.rows('SELECT channel, notice_version FROM consents WHERE user_id = $1', [
        newUserId,
      ]),
    ).toEqual([{ channel: 'ops', notice_version: '2' }]);
    const repeated = await importCustomers(accounts, wholesalerId, [other]);
    expect(repeated.body.customers).toMatchObject([{ userId: newUserId }]);
    expect(await violated()).toEqual([]);
    // A byte of the report, with a hash that fits it.
    const changed = report.replace('"phase":"suppress"', '"phase":"suppresS"');
    const replace = (text: string): Promise<object[]> =>
      accounts.rows(
        `UPDATE erasures SET report = $2, report_sha256 = sha256(convert_to($2, 'UTF8')) WHERE id = $1`,
        [id, text],
      );
    await replace(changed);
    expect(await violated()).toEqual([
      expect.objectContaining({
        name: 'each report of an erasure has the hash that its entry in the audit log has',
        violations: [{ erasureId: id, phase: 'suppress' }],
      }),
    ]);
    await replace(report);
  });
});
