import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { roleOf } from './roles';

/** The functions and triggers of a schema. */
export interface Triggers {
  /** `CREATE OR REPLACE FUNCTION`, in the order in which they use each other. */
  functions: string[];
  /** `CREATE TRIGGER name … ON table …`. */
  triggers: string[];
  /** Tables whose rows nobody changes or deletes, in any role: ledgers and audit logs. */
  appendOnly: string[];
}

/**
 * Functions of triggers that run after a row or a statement was written.
 * @param bodies statements by the name of their function; one with variables is a block
 */
export function afterFunctions(bodies: Record<string, string>): string[] {
  return Object.entries(bodies).map(
    ([name, body]) => `
      CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
        SET search_path FROM CURRENT AS $$
      BEGIN
        ${body}
        RETURN NULL;
      END $$`,
  );
}

/** Writes an event to the outbox (ADR 33), from which the relay makes the event's body. */
export const ANNOUNCE_EVENT = `
  CREATE OR REPLACE FUNCTION announce_event(
    owner event_owners, event_type text, subject_id uuid, subject_version bigint, resource jsonb
  ) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
    INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
    VALUES (uuidv7(), 'notifier', 'announce-event', 1, subject_id, subject_version,
            jsonb_build_object('ownerKind', owner.owner_kind, 'ownerId', owner.owner_id,
                               'type', event_type, 'resource', resource))
  $$`;

const REFUSE_CHANGE = `
  CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$`;

/** One trigger of a schema, and the statements that make it. */
interface MissingTrigger {
  name: string;
  table: string;
  statement: string;
}

/**
 * Replaces a schema's functions and creates those of its triggers that are missing. A trigger that
 * is there stays as it is, because creating one stops all writes to its table: a changed one is a
 * migration. All happens in one transaction, so that no trigger calls a function of another release.
 */
export async function updateTriggers(
  owner: Client,
  schema: string,
  { functions, triggers, appendOnly }: Triggers,
): Promise<void> {
  const wanted = [...triggers.map(parseTrigger), ...appendOnly.flatMap(triggersOfAppendOnly)];
  await owner.query('BEGIN');
  try {
    await owner.query(`SET LOCAL search_path = ${escapeIdentifier(schema)}`);
    const refuse = appendOnly.length > 0 ? [REFUSE_CHANGE] : [];
    for (const statement of [...refuse, ...functions]) await owner.query(statement);
    const { rows } = await owner.query<{ name: string; table: string }>(
      `SELECT tgname AS name, relname AS table
         FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = ${escapeLiteral(schema)}::regnamespace AND NOT tgisinternal`,
    );
    const existing = new Set(rows.map(({ name, table }) => `${name} ${table}`));
    for (const { name, table, statement } of wanted) {
      if (!existing.has(`${name} ${table}`)) await owner.query(statement);
    }
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  }

  function triggersOfAppendOnly(table: string): MissingTrigger[] {
    return [
      {
        name: 'append_only_rows',
        table,
        statement: `
          CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON ${table}
            FOR EACH ROW EXECUTE FUNCTION refuse_change();
          REVOKE UPDATE, DELETE ON ${table} FROM ${escapeIdentifier(roleOf(schema))}`,
      },
      {
        name: 'append_only_table',
        table,
        statement: `
          CREATE TRIGGER append_only_table BEFORE TRUNCATE ON ${table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
      },
    ];
  }
}

function parseTrigger(statement: string): MissingTrigger {
  const [, name, table] = /CREATE TRIGGER (\w+) [\w\s,]+? ON (\w+)/.exec(statement) ?? [];
  if (name === undefined || table === undefined) {
    throw new Error(`Not a CREATE TRIGGER: ${statement}`);
  }
  return { name, table, statement };
}
