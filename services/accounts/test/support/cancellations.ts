import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import type { InvariantCheck } from '@fiado/contracts/invariants';
import { type ErasurePhase, personErased } from '@fiado/contracts/jobs/privacy';
import type { Service } from '@fiado/contracts/process-names';
import type { Accounts, Customer } from './accounts';

export const REQUESTS = '/v1/admin/privacy-requests';

/** What transactions and payments answer of a person who neither owes nor is owed anything. */
export const NOTHING_OPEN = {
  lines: [],
  openDebts: 0,
  creditBalanceCents: 0,
  reservedCents: 0,
  recoveryCents: 0,
  unmatchedCents: 0,
  lastMoneyAt: null,
};

/** Settings of an accounts whose other services are one stand-in; what is blocked is erased at once. */
export const withServicesAt = (url: string) => ({
  TRANSACTIONS_URL: url,
  PAYMENTS_URL: url,
  NOTIFIER_URL: url,
  RETENTION_YEARS: '0',
});

export interface ErasureRow {
  id: string;
  due_at: Date;
  state: string;
  name_key: Buffer | null;
  report: string;
  report_sha256: Buffer;
}

/** Requests of the customer of a test about their data, and the parts of other services in an erasure. */
export function cancellationCalls(accounts: () => Accounts, customer: () => Customer) {
  const open = (kind = 'cancellation'): Promise<Answer> =>
    accounts().call(ops(), 'POST', REQUESTS, {
      body: { userId: customer().userId, kind, channel: 'email', identityProof: 'official-id' },
    });
  const opened = async (kind?: string): Promise<string> => (await open(kind)).body.privacyRequestId;
  const answer = (requestId: string, body: object): Promise<Answer> =>
    accounts().call(ops(), 'POST', `${REQUESTS}/${requestId}/answer`, { body });
  const grant = (requestId: string, more: object = {}): Promise<Answer> =>
    answer(requestId, { outcome: 'granted', ...more });
  const show = async (requestId: string): Promise<Answer['body']> =>
    (await accounts().call(ops(), 'GET', `${REQUESTS}/${requestId}`)).body;
  const deliver = (erasureId: string, service: Service, more: object = {}): Promise<void> =>
    accounts().handle(
      personErased,
      { id: randomUUID(), version: 1 },
      { erasureId, service, rows: [], objectIds: [], ...more },
    );
  return {
    open,
    opened,
    answer,
    grant,
    show,
    statusOf: async (requestId: string): Promise<string | undefined> => {
      const status = 'SELECT status FROM privacy_requests WHERE id = $1';
      return (await accounts().rows<{ status: string }>(status, [requestId]))[0]?.status;
    },
    /** Opens a cancellation and grants it. @returns the id of the request */
    blocked: async (): Promise<string> => {
      const requestId = await opened();
      expect((await grant(requestId)).status).toBe(200);
      return requestId;
    },
    erasureOf: async (phase: ErasurePhase): Promise<ErasureRow> => {
      const [row] = await accounts().rows<ErasureRow>(
        'SELECT * FROM erasures WHERE user_id = $1 AND phase = $2',
        [customer().userId, phase],
      );
      if (row === undefined) throw new Error(`No ${phase} of the customer`);
      return row;
    },
    deliver,
    /** Delivers what the other services did of an erasure. */
    finish: async (erasureId: string): Promise<void> => {
      await deliver(erasureId, 'transactions', { objectIds: [randomUUID()], keptRows: 4 });
      await deliver(erasureId, 'payments');
      await deliver(erasureId, 'notifier', {
        rows: [{ table: 'messages', column: 'sealed', rows: 2 }],
      });
    },
    violated: async (): Promise<InvariantCheck[]> => {
      const { body } = await accounts().call(ops(), 'GET', '/v1/admin/invariants/accounts');
      return (body as { checks: InvariantCheck[] }).checks.filter(({ holds }) => !holds);
    },
  };
}
