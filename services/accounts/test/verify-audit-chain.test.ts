import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ops } from '@fiado/chassis/testing/callers';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { forAllTests } from '../../../test/support/for-all-tests';
import { anchorAuditChain } from '../src/audit/anchor-audit-chain';
import { startAuditChain, VERIFY_PATH } from './support/audit-chain';

const WRITERS = 10;
const KILLS = 2;
/** Of a process that chains, in milliseconds: some dozens of batches. */
const MAX_LIFE_MS = 300;

const chain = forAllTests(startAuditChain);

describe('a chain that nobody touched', () => {
  it('holds, over two pages', async () => {
    await chain.owner.query(
      `INSERT INTO audit_log (id, actor_kind, actor_id, action, details)
       SELECT gen_random_uuid(), 'ops', 'ops', 'corner-stores.listed', jsonb_build_object('n', n)
         FROM generate_series(1, 1250) n`,
    );
    await chain.chainAll();
    expect(await chain.verify()).toEqual({ broken: null, links: 1250 });
  });

  it('an entry that commits late comes later in the chain, whatever its time', async () => {
    await chain.owner.query('BEGIN');
    const late = '01900000-0000-7000-8000-000000000001';
    await chain.owner.query(
      `INSERT INTO audit_log (id, actor_kind, actor_id, action, details)
       VALUES ($1, 'ops', 'late', 'corner-stores.listed', '{}')`,
      [late],
    );
    await chain.audit();
    await chain.chainAll();
    await chain.owner.query('COMMIT');
    expect((await chain.verify()).broken).toBeNull();
    await chain.chainAll();
    const [last] = await chain.accounts.rows<{ entry_id: string }>(
      'SELECT entry_id FROM audit_chain ORDER BY position DESC LIMIT 1',
    );
    expect(last?.entry_id).toBe(late);
    expect((await chain.verify()).broken).toBeNull();
  });

  it('is checked again at the next look after its anchor could not be written', async () => {
    await chain.audit();
    await chain.chainAll();
    const folder = dirname(chain.anchorFile);
    await writeFile(folder, 'not a folder');
    await expect(chain.anchor()).rejects.toThrow('audit-anchors');
    await rm(folder);

    await anchorAuditChain(chain.accounts.context);

    expect((await readFile(chain.anchorFile, 'utf8')).trim().split('\n')).toHaveLength(1);
    await rm(folder, { recursive: true });
  });

  it('is anchored once a day in a file, signed, and in the log', async () => {
    await chain.anchor();
    await anchorAuditChain(chain.accounts.context);
    const lines = (await readFile(chain.anchorFile, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(1);
    const { links } = await chain.verify();
    const claims = JSON.parse(Buffer.from(lines[0]?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ position: links });
  });

  it('a check that a stop cuts short is made at the next look', async () => {
    const { context } = chain.accounts;
    const anchors = async () =>
      (await readFile(chain.anchorFile, 'utf8')).trim().split('\n').length;
    const before = await anchors();
    await chain.owner.query(`UPDATE audit_chain_head SET checked_at = '-infinity'`);
    await anchorAuditChain(context, AbortSignal.abort());
    expect(await anchors()).toBe(before);
    await anchorAuditChain(context);
    expect(await anchors()).toBe(before + 1);
  });

  it('the page ends at a wanted position, with its hash', async () => {
    const [link] = await chain.accounts.rows<{ hash: Buffer }>(
      'SELECT hash FROM audit_chain WHERE position = 1200',
    );
    const first = await chain.accounts.call(ops(), 'GET', `${VERIFY_PATH}?until=1200`);
    const path = `${VERIFY_PATH}?until=1200&cursor=${first.body.nextCursor}`;
    expect((await chain.accounts.call(ops(), 'GET', path)).body).toMatchObject({
      position: 1200,
      hash: link?.hash.toString('hex'),
    });
  });

  it('a made-up cursor is refused', async () => {
    for (const cursor of ['x', Buffer.from('9.zz').toString('base64url')]) {
      expect(
        (await chain.accounts.call(ops(), 'GET', `${VERIFY_PATH}?cursor=${cursor}`)).status,
      ).toBe(400);
    }
  });
});

describe('ten writers, while the process that chains is killed twice', () => {
  function startChaining(): ChildProcess {
    return spawn(
      process.execPath,
      [...RUN_SOURCES, join(__dirname, 'support/audit-chain-writer.ts')],
      {
        env: {
          ...process.env,
          DATABASE_URL: chain.accounts.context.config.DATABASE_URL,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
  }

  it('each entry is chained once, and the chain holds', async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startChaining();
      const ended = once(child, 'exit');
      if (child.stdout !== null) await once(child.stdout, 'data');
      const killed = new AbortController();
      const writers = Array.from({ length: WRITERS }, async () => {
        while (!killed.signal.aborted) await chain.audit();
      });
      await sleep(Math.random() * MAX_LIFE_MS);
      child.kill('SIGKILL');
      await ended;
      killed.abort();
      await Promise.all(writers);
    }
    await chain.chainAll();
    const [written] = await chain.accounts.rows<{ count: number }>(
      'SELECT count(*) FROM audit_log',
    );
    expect(await chain.verify()).toEqual({ broken: null, links: written?.count });
  });
});
