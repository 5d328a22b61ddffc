import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ops } from '@fiado/chassis/testing/callers';
import { Client } from 'pg';
import { recordAudit } from '../../src/audit/audit-log';
import { anchorAuditChain } from '../../src/audit/anchor-audit-chain';
import { chainAuditLog } from '../../src/audit/chain-audit-log';
import { startAccounts, type Accounts } from './accounts';

export const VERIFY_PATH = '/v1/admin/audit/verify';

/** An accounts service whose audit chain is looked at, and its owner's connection. */
export interface AuditChain {
  accounts: Accounts;
  owner: Client;
  anchorFile: string;
  /** Writes audit entries, one after the other. */
  audit(count?: number): Promise<void>;
  chainAll(): Promise<void>;
  /** Reads all pages. @returns the first break, and how many links were checked */
  verify(): Promise<{ broken: { kind: string; position: number } | null; links: number }>;
  /** Changes tables that refuse it, as whoever has the owner's password can. */
  tamper(...statements: string[]): Promise<void>;
  /** Makes log, chain and anchors as empty as they were at the start. */
  clear(): Promise<void>;
  /** Makes the daily check now, as if a day had passed. */
  anchor(): Promise<void>;
  stop(): Promise<void>;
}

export async function startAuditChain(): Promise<AuditChain> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-chain-'));
  const accounts = await startAccounts({ config: { DATA_DIR: folder } });
  const owner = new Client({ connectionString: accounts.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path TO accounts');
  const anchorFile = join(folder, 'audit-anchors', 'accounts.jws');
  const tamper = async (...statements: string[]): Promise<void> => {
    await owner.query('SET session_replication_role = replica');
    for (const statement of statements) await owner.query(statement);
    await owner.query('SET session_replication_role = origin');
  };
  return {
    accounts,
    owner,
    anchorFile,
    tamper,
    audit: async (count = 1) => {
      for (let entry = 0; entry < count; entry += 1) {
        const details = { entry };
        const audited = { by: ops(), action: 'corner-stores.listed', objectId: null } as const;
        await recordAudit(accounts.context.db, { ...audited, details });
      }
    },
    chainAll: async () => {
      for (;;) {
        await chainAuditLog(accounts.context);
        const [left] = await accounts.rows('SELECT FROM audit_unchained LIMIT 1');
        if (left === undefined) return;
      }
    },
    verify: async () => {
      let cursor: string | undefined;
      let links = 0;
      for (;;) {
        const path = cursor === undefined ? VERIFY_PATH : `${VERIFY_PATH}?cursor=${cursor}`;
        const { status, body } = await accounts.call(ops('viewer'), 'GET', path);
        expect(status).toBe(200);
        if (body.position !== null) links = body.position;
        if (body.break !== null || body.nextCursor === null) return { broken: body.break, links };
        cursor = body.nextCursor;
      }
    },
    clear: async () => {
      await tamper(
        'DELETE FROM audit_unchained',
        'DELETE FROM audit_chain',
        'DELETE FROM audit_log',
        `UPDATE audit_chain_head SET position = 0, hash = decode(repeat('00', 32), 'hex'),
                                     checked_at = now(), break = NULL`,
      );
      await rm(anchorFile, { force: true });
    },
    anchor: async () => {
      await owner.query(`UPDATE audit_chain_head SET checked_at = now() - interval '25 hours'`);
      await anchorAuditChain(accounts.context);
    },
    stop: async () => {
      await owner.end();
      await accounts.stop();
      await rm(folder, { recursive: true });
    },
  };
}
