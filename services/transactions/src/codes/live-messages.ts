import { findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';

/** A code or a delivery word, while its order waits for it. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `CASE template
     WHEN 'order-code' THEN EXISTS (
       SELECT FROM verifications JOIN transactions ON transactions.id = transaction_id
        WHERE verifications.id = "verificationId"
          AND verifications.status = 'pending'
          AND transactions.status = 'pending-verification')
     ELSE EXISTS (
       SELECT FROM transactions WHERE id = "subjectId" AND status = 'on-hold') END`,
);
