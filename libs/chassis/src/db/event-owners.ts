import type { QueryRunner } from 'typeorm';

/**
 * Who wants events (wholesalers and payment providers), and the function with which a service's
 * triggers write them to the outbox (ADR 33). An owner without a row costs a look-up and writes
 * nothing. For each schema whose service publishes events.
 */
export class CreateEventOwners1796600000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_owners (
        owner_id   uuid PRIMARY KEY,
        owner_kind text NOT NULL CHECK (owner_kind IN ('wholesaler', 'payment-provider')),
        created_at timestamptz NOT NULL DEFAULT now()
      );

      -- The resource is as the database sees it now; the relay makes the event's body of it.
      CREATE FUNCTION announce_event(
        owner event_owners, event_type text, subject_id uuid, subject_version bigint, resource jsonb
      ) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
        INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
        VALUES (uuidv7(), 'notifier', 'announce-event', 1, subject_id, subject_version,
                jsonb_build_object('ownerKind', owner.owner_kind, 'ownerId', owner.owner_id,
                                   'type', event_type, 'resource', resource))
      $$;
    `);
  }
}
