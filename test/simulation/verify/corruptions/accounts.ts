import { OTHER, outboxRow, type Corruption } from './corruption';

/** An owner whose data are gone, with the parts of four services and a report. */
const ERASED = `
  UPDATE accounts.users SET first_name = NULL, last_names = NULL, phone = NULL, latitude = NULL,
                            longitude = NULL, contacts = NULL, metadata = NULL
   WHERE id = $newcomerUser;
  UPDATE accounts.verifications SET phone = NULL WHERE user_id = $newcomerUser;
  UPDATE accounts.corner_stores SET erased_at = simulated.now(), name = NULL WHERE id = $newcomer;
  INSERT INTO accounts.erasures (id, request_id, user_id, corner_store_id, phase, due_at, state, report,
                                 report_sha256)
  VALUES (${OTHER}, ${OTHER}, $newcomerUser, $newcomer, 'suppress', simulated.now(), 'done', '{}',
          sha256('{}'));
  INSERT INTO accounts.erasure_parts (erasure_id, service, rows)
  SELECT ${OTHER}, service, '[]'
    FROM unnest('{accounts,transactions,payments,notifier}'::text[]) service`;

const BLOCKED_LONG_AGO = (store: string): string =>
  `UPDATE accounts.corner_stores SET blocked_at = simulated.now() - interval '90 days' WHERE id = $${store}`;

export const ACCOUNTS: Corruption[] = [
  {
    name: 'a limit that only accounts has',
    plant: 'UPDATE accounts.corner_stores SET credit_limit_cents = 9900000 WHERE id = $buyer',
    reportedBy: ['across', 'limit, interest rate and status'],
  },
  {
    name: 'a status that only accounts has',
    plant: `UPDATE accounts.corner_stores SET status = 'approved' WHERE id = $newcomer`,
    reportedBy: ['across', 'limit, interest rate and status'],
  },
  {
    name: 'a store without its user',
    plant: 'DELETE FROM accounts.users WHERE id = $newcomerUser',
    reportedBy: ['across', 'the phone number and the version'],
  },
  {
    name: 'a user without a store',
    plant: 'DELETE FROM accounts.corner_stores WHERE id = $newcomer',
    reportedBy: ['accounts', 'every user has one corner store'],
  },
  {
    name: 'two stores that swapped their users',
    plant: `UPDATE accounts.corner_stores SET user_id = ${OTHER} WHERE id = $buyer;
            UPDATE accounts.corner_stores SET user_id = $buyerUser WHERE id = $payer;
            UPDATE accounts.corner_stores SET user_id = $payerUser WHERE id = $buyer`,
    reportedBy: ['across', 'the same user in each service'],
  },
  {
    name: 'the phone of one user in the row of another',
    plant: `UPDATE accounts.users SET phone = (SELECT phone FROM accounts.users WHERE id = $payerUser)
             WHERE id = $buyerUser`,
    reportedBy: ['accounts', 'the phone number of each user'],
  },
  {
    name: 'a phone that is found by the number of nobody',
    plant: `UPDATE accounts.users SET phone_index = '\\x00' WHERE id = $buyerUser`,
    reportedBy: ['accounts', 'the phone number of each user'],
  },
  {
    name: 'a customer link that is gone',
    plant:
      'DELETE FROM accounts.customers WHERE corner_store_id = $buyer AND wholesaler_id = $south',
    reportedBy: ['across', 'customer links'],
  },
  {
    name: 'a changed phone without its change',
    plant: 'DELETE FROM accounts.phone_changes WHERE corner_store_id = $payer',
    reportedBy: ['across', 'customer links'],
  },
  {
    name: 'a commission rate that only accounts has',
    plant: 'UPDATE accounts.wholesalers SET commission_rate = 0.5 WHERE id = $north',
    reportedBy: ['across', "wholesalers' settings"],
  },
  {
    name: 'a store in validation that sent nothing',
    plant: `UPDATE accounts.corner_stores SET status = 'in-manual-validation' WHERE id = $newcomer`,
    reportedBy: ['accounts', 'in manual validation'],
  },
  {
    name: 'an approved verification that nobody approved',
    plant: `UPDATE accounts.verifications SET status = 'approved' WHERE id = $verification`,
    reportedBy: ['accounts', 'each verification is approved'],
  },
  {
    name: 'a job of accounts that waits for two hours',
    plant: outboxRow('accounts', { created_at: `simulated.now() - interval '2 hours'` }),
    reportedBy: ['accounts', 'older than 1 hour'],
  },
  {
    name: 'a dead letter of accounts',
    plant: outboxRow('accounts', { enqueued_at: 'simulated.now()', dead_at: 'simulated.now()' }),
    reportedBy: ['accounts', 'dead letter'],
  },
  {
    name: 'a store that buys from nobody',
    plant: `DELETE FROM accounts.customers WHERE corner_store_id = $newcomer`,
    reportedBy: ['accounts', 'every corner store is the customer'],
  },
  {
    name: 'two verifications of one user that wait',
    plant: `INSERT INTO accounts.verifications
            SELECT (jsonb_populate_record(v, jsonb_build_object('id', ${OTHER}))).*
              FROM accounts.verifications v WHERE id = $verification`,
    reportedBy: ['accounts', 'at most one pending verification'],
  },
  {
    name: 'a verification by a wholesaler that the store does not buy from',
    plant: `UPDATE accounts.verifications SET wholesaler_id = $south WHERE id = $verification`,
    reportedBy: ['accounts', 'each verification belongs'],
  },
  {
    name: 'a picture that was taken and is not there',
    plant: `UPDATE accounts.corner_stores
               SET onboarding_steps = array_append(onboarding_steps, 'SELFIE_IMAGE') WHERE id = $newcomer`,
    reportedBy: ['accounts', 'each completed image step'],
  },
  {
    name: 'information that was given and is not there',
    plant: `UPDATE accounts.corner_stores
               SET onboarding_steps = array_append(onboarding_steps, 'CORNER_STORE_INFORMATION')
             WHERE id = $newcomer`,
    reportedBy: ['accounts', 'each completed information step'],
  },
  {
    name: 'a customer under another name',
    plant: `UPDATE accounts.customers SET external_id = 'tienda-9'
             WHERE corner_store_id = $buyer AND wholesaler_id = $south`,
    reportedBy: ['across', 'customer links'],
  },
  {
    name: 'a change of phone that only transactions has',
    plant: `UPDATE transactions.customers SET phone_changes = phone_changes + 1
             WHERE corner_store_id = $buyer`,
    reportedBy: ['across', 'customer links'],
  },
  {
    name: 'a request of a person that was deleted',
    plant: 'DELETE FROM accounts.privacy_requests WHERE id = $privacyRequest',
    reportedBy: ['accounts', 'that the audit log opened is kept'],
  },
  {
    name: 'a request of a person that nobody answered in time',
    plant: `INSERT INTO accounts.privacy_requests (id, user_id, kind, channel, identity_proof, received_at,
                                                   answer_due_at, opened_by)
            VALUES (${OTHER}, $buyerUser, 'access', 'email', 'official-id', simulated.now(),
                    simulated.now() - interval '1 minute', 'ana')`,
    reportedBy: ['accounts', 'each open request of a person'],
  },
  {
    name: 'a granted request of a person that was not done in time',
    plant: `INSERT INTO accounts.privacy_requests (id, user_id, kind, channel, identity_proof, received_at,
                                                   answer_due_at, execution_due_at, status, outcome,
                                                   answered_by, answered_at, opened_by)
            VALUES (${OTHER}, $buyerUser, 'cancellation', 'email', 'official-id', simulated.now(),
                    simulated.now(), simulated.now() - interval '1 minute', 'executing', 'granted',
                    'ana', simulated.now(), 'ana')`,
    reportedBy: ['accounts', 'each open request of a person'],
  },
  {
    name: 'a blocked store with credit',
    plant: 'UPDATE accounts.corner_stores SET blocked_at = simulated.now() WHERE id = $buyer',
    reportedBy: ['accounts', 'a blocked corner store has no credit'],
  },
  {
    name: 'an order of a store that was blocked before',
    plant: `${BLOCKED_LONG_AGO('buyer')}; DELETE FROM notifier.messages`,
    reportedBy: ['accounts', 'got no order and no message'],
  },
  {
    name: 'a message to an owner who was blocked before, and never ordered',
    plant: BLOCKED_LONG_AGO('newcomer'),
    reportedBy: ['accounts', 'got no order and no message'],
  },
  {
    name: 'an erased store whose owner has a name',
    plant: `${ERASED}; UPDATE accounts.users SET first_name = '\\x00' WHERE id = $newcomerUser`,
    reportedBy: ['accounts', 'an erased corner store has no sealed value'],
  },
  {
    name: 'an erased store whose phone finds its owner',
    plant: `${ERASED}; INSERT INTO accounts.erased_phones (keyed_hash)
            SELECT phone_index FROM accounts.users WHERE id = $newcomerUser`,
    reportedBy: ['accounts', 'an erased corner store has no sealed value'],
  },
  {
    name: 'an erased store of which a service reported nothing',
    plant: `${ERASED}; DELETE FROM accounts.erasure_parts WHERE service = 'payments'`,
    reportedBy: ['accounts', 'an erased corner store has no sealed value'],
  },
  {
    name: 'a report of an erasure that is not in the audit log',
    plant: ERASED,
    reportedBy: ['accounts', 'each report of an erasure'],
  },
];
