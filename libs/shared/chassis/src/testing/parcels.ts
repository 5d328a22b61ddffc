import type { RowJob } from '../row-jobs/row-job';

/** A table whose rows say what work is left, for tests. */
export const CREATE_PARCELS = `
  CREATE TABLE parcels (
    id              uuid PRIMARY KEY,
    sender          uuid NOT NULL DEFAULT gen_random_uuid(),
    sent            boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    attempts        integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    last_error      text,
    dead_at         timestamptz,
    request_id      text,
    traceparent     text
  );`;

export const parcels: RowJob = {
  type: 'send-parcel',
  loop: 'send parcels',
  table: 'parcels',
  isOpen: 'NOT sent',
  tenant: 'sender',
  createdAt: 'created_at',
};
