import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const OXLINT = join(
  dirname(createRequire(__filename).resolve('oxlint/package.json')),
  'bin/oxlint',
);

interface Diagnostic {
  message: string;
  code: string;
  filename: string;
}

/** Files and the imports in them that the linter refuses. */
const REFUSED: Record<string, { imports: string[]; refused: string[] }> = {
  'services/payments/src/deposits/fees.rules.ts': {
    imports: ['./shares.rules', '../debts/order.rules', '@fiado/contracts/money'],
    refused: ['./read-fees', 'typeorm', 'pg', 'express', 'bullmq', '@fiado/chassis/db/query'],
  },
  'services/payments/src/deposits/find-fees.sql.ts': {
    imports: ['@fiado/chassis/db/query', './fees.rules'],
    refused: [
      '@fiado/chassis/http/endpoint',
      'express',
      'bullmq',
      'typeorm/data-source/DataSource',
    ],
  },
  'services/payments/src/deposits/list-fees.ts': {
    imports: ['@fiado/chassis/http/endpoint', '@fiado/chassis/db/query', './find-fees.sql'],
    refused: ['@fiado/chassis/http/server', 'express', 'bullmq'],
  },
  'libs/shared/contracts/src/fees.ts': {
    imports: ['./money', 'class-validator'],
    refused: ['@fiado/chassis/db/query'],
  },
};

it('refuses imports that cross a fence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiado-fences-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [path, { imports, refused }] of Object.entries(REFUSED)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const lines = [...imports, ...refused].map((name, at) => `import { a${at} } from '${name}';`);
    writeFileSync(join(folder, path), lines.join('\n'));
  }
  const found = refusedImports(folder);
  rmSync(folder, { recursive: true });

  expect(found).toEqual(
    Object.fromEntries(Object.entries(REFUSED).map(([path, { refused }]) => [path, refused])),
  );
});

it.each([
  ['services/payments/src/deposits/fee.entity.ts', ['Pool', 'default', 'save', 'typeorm']],
  ['services/payments/src/deposits/find-fees.sql.ts', ['Pool', 'default', 'save', 'typeorm']],
  ['libs/shared/chassis/src/exports/fee.entity.ts', ['Pool', 'default', 'save', 'typeorm']],
  ['services/payments/src/service.ts', ['Pool', 'default']],
  ['services/gateway/src/requests/forward.ts', ['Pool', 'default']],
  ['apps/console/src/main.ts', ['Pool', 'default']],
  ['libs/embedded-postgres/src/backup.ts', ['Pool', 'default']],
])(
  'refuses a second pool, and relations, subscribers and save() of entities, in %s',
  (path, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'fiado-fences-'));
    cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const lines = [
      `import { Pool, escapeIdentifier } from 'pg';`,
      `import pg from 'pg';`,
      `import { Column, Entity, PrimaryColumn, In, IsNull, Not } from '@fiado/chassis/db/typeorm';`,
      `import { ManyToOne, EventSubscriber } from 'typeorm';`,
      'export const keep = (tx, fee) => tx.manager.save(fee);',
      'export const add = (tx, fee) => tx.manager.insert(Fee, fee);',
    ];
    writeFileSync(join(folder, path), lines.join('\n'));
    const found = diagnosticsOf(folder).filter(({ code }) => code.includes('no-restricted'));
    rmSync(folder, { recursive: true });

    expect(new Set(found.map(({ message }) => /'(\w+)'/.exec(message)?.[1]))).toEqual(
      new Set(words),
    );
  },
);

function diagnosticsOf(folder: string): Diagnostic[] {
  const { stdout } = spawnSync(process.execPath, [OXLINT, '--format=json', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

/** What the linter refuses to import, by file. */
function refusedImports(folder: string): Record<string, string[]> {
  const refused: Record<string, string[]> = {};
  for (const { message, code, filename } of diagnosticsOf(folder)) {
    if (code !== 'eslint(no-restricted-imports)') continue;
    const [, name = ''] = /^'([^']+)'/.exec(message) ?? [];
    (refused[filename] ??= []).push(name);
  }
  return refused;
}
