import { appendFile, readFile } from 'node:fs/promises';
import { startAuditChain, type AuditChain } from './support/audit-chain';

describe('with the rights of the owner of the database', () => {
  let chain: AuditChain;
  beforeAll(async () => {
    chain = await startAuditChain();
  });
  beforeEach(async () => {
    await chain.clear();
    await chain.audit(10);
    await chain.chainAll();
    expect(await chain.verify()).toEqual({ broken: null, links: 10 });
  });
  afterAll(() => chain.stop());

  const link = (position: number, column = '*') =>
    `(SELECT ${column} FROM audit_chain WHERE position = ${position})`;

  it.each<[string, string[], string, number | null]>([
    [
      'a changed entry',
      [`UPDATE audit_log SET actor_id = 'x' WHERE id = ${link(4, 'entry_id')}`],
      'changed',
      4,
    ],
    [
      'a changed entry with its link',
      [
        `UPDATE audit_log SET actor_id = 'x' WHERE id = ${link(4, 'entry_id')}`,
        `UPDATE audit_chain SET content = replace(content, '"ops", "ops"', '"ops", "x"') WHERE position = 4`,
      ],
      'changed',
      4,
    ],
    ['a deleted entry', [`DELETE FROM audit_log WHERE id = ${link(4, 'entry_id')}`], 'deleted', 4],
    [
      'a deleted entry with its link',
      [
        `DELETE FROM audit_log WHERE id = ${link(4, 'entry_id')}`,
        'DELETE FROM audit_chain WHERE position = 4',
      ],
      'deleted',
      4,
    ],
    [
      'the last entry, deleted with its link',
      [
        `DELETE FROM audit_log WHERE id = ${link(10, 'entry_id')}`,
        'DELETE FROM audit_chain WHERE position = 10',
      ],
      'deleted',
      10,
    ],
    [
      'an entry put into the log behind the trigger',
      [
        `INSERT INTO audit_log (id, actor_kind, actor_id, action, details)
         VALUES (gen_random_uuid(), 'ops', 'ops', 'corner-stores.listed', '{}')`,
      ],
      'inserted',
      null,
    ],
    [
      'a link put into the chain',
      [
        'UPDATE audit_chain SET position = -position WHERE position >= 4',
        'UPDATE audit_chain SET position = 1 - position WHERE position < 0',
        `INSERT INTO audit_log (id, actor_kind, actor_id, action, details)
         VALUES ('01900000-0000-7000-8000-000000000002', 'ops', 'ops', 'corner-stores.listed', '{}')`,
        `INSERT INTO audit_chain (position, entry_id, content, hash)
         VALUES (4, '01900000-0000-7000-8000-000000000002', '[]', sha256('x'))`,
      ],
      'inserted',
      4,
    ],
    [
      'two links that changed places',
      [
        'UPDATE audit_chain SET position = -position WHERE position IN (4, 7)',
        'UPDATE audit_chain SET position = 11 + position WHERE position < 0',
      ],
      'reordered',
      4,
    ],
    [
      'a head set back',
      [`UPDATE audit_chain_head SET position = 6, hash = ${link(6, 'hash')}`],
      'rewound',
      6,
    ],
  ])('%s is named', async (_name, statements, kind, position) => {
    await chain.tamper(...statements);
    expect((await chain.verify()).broken).toMatchObject({ kind, position });
  });

  it('a chain cut off behind an anchor and grown again is named', async () => {
    await chain.anchor();
    await chain.tamper(
      `DELETE FROM audit_log WHERE id IN (SELECT entry_id FROM audit_chain WHERE position > 6)`,
      'DELETE FROM audit_chain WHERE position > 6',
      `UPDATE audit_chain_head SET position = 6, hash = ${link(6, 'hash')}`,
    );
    expect((await chain.verify()).broken).toMatchObject({ kind: 'rewound', position: 6 });
    await chain.audit(8);
    await chain.chainAll();
    expect((await chain.verify()).broken).toMatchObject({ kind: 'rewound', position: 10 });
  });

  it('the daily check reports a broken chain and does not anchor it', async () => {
    await chain.tamper(`UPDATE audit_log SET actor_id = 'x' WHERE id = ${link(4, 'entry_id')}`);
    await chain.anchor();
    const [head] = await chain.accounts.rows('SELECT break FROM audit_chain_head');
    expect(head).toMatchObject({ break: { kind: 'changed', position: 4 } });
    await expect(readFile(chain.anchorFile)).rejects.toThrow('ENOENT');
  });

  it('a forged line among the anchors is named', async () => {
    await chain.anchor();
    await appendFile(chain.anchorFile, 'e30.e30.e30\n');
    expect((await chain.verify()).broken).toMatchObject({ kind: 'anchor-not-valid' });
  });
});
