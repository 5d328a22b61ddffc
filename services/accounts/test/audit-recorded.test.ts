import { randomUUID } from 'node:crypto';
import { auditRecorded, type AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';

const accounts = forAllTests(startAccounts);

it('actions of ops in another service are in the audit log, once for each message', async () => {
  const messageId = randomUUID();
  const transactionId = randomUUID();
  const actor = { actorKind: 'ops', actorId: randomUUID() };
  const entry: AuditRecorded = {
    ...actor,
    action: 'delivery-word.reset',
    objectId: transactionId,
    details: {},
  };
  for (let delivery = 0; delivery < 2; delivery += 1) {
    await accounts.deliver(auditRecorded, { id: messageId, version: 1 }, entry, messageId);
  }
  await accounts.deliver(
    auditRecorded,
    { id: randomUUID(), version: 1 },
    { ...actor, action: 'messages.searched', details: { messageIds: [] } },
  );

  expect(
    await accounts.rows(
      'SELECT action, object_id FROM audit_log WHERE actor_id = $1 ORDER BY occurred_at',
      [actor.actorId],
    ),
  ).toEqual([
    { action: 'delivery-word.reset', object_id: transactionId },
    { action: 'messages.searched', object_id: null },
  ]);
});
