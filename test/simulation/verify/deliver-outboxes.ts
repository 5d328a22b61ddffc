import { applyDeposit } from '../../../services/payments/src/deposits/apply-deposit';
import { codeIn, deliverMessage, type Message } from '../system/messages';
import type { System } from '../system/system';

/** Does what the relays, the queues and the loops do, until nothing is left to do. */
export async function deliverOutboxes(system: System, codes: Map<string, string>): Promise<void> {
  for (let found = true; found;) {
    found = false;
    for (const schema of ['accounts', 'transactions', 'payments', 'notifier']) {
      const { rows } = await system.database.owner.query<{ message: Message }>(
        `UPDATE ${schema}.outbox SET enqueued_at = simulated.now(), enqueue_count = 1,
                                     done_at = simulated.now()
          WHERE done_at IS NULL
         RETURNING json_build_object('id', id, 'queue', queue, 'type', type, 'version', version,
           'occurredAt', created_at, 'aggregateId', aggregate_id,
           'aggregateVersion', aggregate_version, 'data', data) AS message`,
      );
      for (const { message } of rows) {
        const code = codeIn(system, message);
        if (code !== undefined) codes.set(message.aggregateId, code);
        await deliverMessage(system, message);
        found = true;
      }
    }
    const { rows: received } = await system.database.owner.query<{ id: string }>(
      `SELECT id FROM payments.deposits WHERE status = 'received'`,
    );
    for (const { id } of received) {
      await applyDeposit(system.payments, id);
      found = true;
    }
  }
  while (await system.notifier.sender.sendDue());
  await system.notifier.sender.calls.allEnded();
}
