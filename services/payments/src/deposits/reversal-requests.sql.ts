/** Of payment providers: one for each deposit. */
export const CREATE_REVERSAL_REQUESTS = `
  CREATE TABLE reversal_requests (
    deposit_id          uuid PRIMARY KEY REFERENCES deposits,
    payment_provider_id uuid NOT NULL,
    reason              text NOT NULL,
    requested_at        timestamptz NOT NULL DEFAULT now(),
    -- Where the lender left the deposit as it was.
    refused_at          timestamptz,
    refused_by          text,
    refusal             text,
    CHECK (num_nonnulls(refused_at, refused_by, refusal) IN (0, 3))
  );
  CREATE INDEX reversal_requests_of_provider
    ON reversal_requests (payment_provider_id, requested_at);
  CREATE INDEX reversal_requests_open ON reversal_requests (deposit_id) WHERE refused_at IS NULL`;

/** SQL of the reversal that the provider of a row of `deposits` asked for, or null. */
export const REVERSAL_REQUEST = `
  (SELECT json_build_object('reason', asked.reason, 'requestedAt', asked.requested_at,
            'refusal', asked.refusal, 'refusedAt', asked.refused_at)
     FROM reversal_requests asked WHERE asked.deposit_id = deposits.id) AS "reversalRequest"`;
