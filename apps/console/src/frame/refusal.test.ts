import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrorCode } from '@fiado/contracts/errors';
import type { Route } from '@fiado/client/resources';
import { ROUTES } from '@fiado/ops-client/generated/resources';
import { sentenceOf } from './refusal';

const ROOT = join(__dirname, '../../../..');

/** The console asks for these by their paths: the client has no files. */
const FETCHED_BY_PATH = ['showDocument', 'getOpsStatementLinesCsv'];
/** Refusals of what the console never sends, and the end of a session, which is known by its status. */
const NEVER_SHOWN = ['UNAUTHORIZED', 'INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'];

const sources = ['apps/console/src', 'libs/ops-client/src']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  )
  .join('\n');

const calledOperations = [
  ...FETCHED_BY_PATH,
  ...Object.entries(ROUTES)
    .filter(([id, { resource, name = id }]: [string, Route]) =>
      new RegExp(`\\b${resource}\\s*\\.\\s*${name}\\b|'${id}'`).test(sources),
    )
    .map(([id]) => id),
];

/** Codes of the errors that the document of the API lists for an operation. */
function codesOf(operation: object): string[] {
  const errors = JSON.stringify(operation).matchAll(
    /#\/components\/(?:responses|examples)\/([A-Z_]+)"/g,
  );
  return [...errors].flatMap(([, code]) => (isErrorCode(code) ? code : []));
}

it('has a sentence for each error that the API lists for what the console calls', () => {
  const text = readFileSync(join(ROOT, 'services/gateway/openapi-admin.json'), 'utf8');
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const called = operations.filter(({ operationId }) => calledOperations.includes(operationId));
  expect(called.length).toBeGreaterThan(75);
  const codes = new Set(called.flatMap(codesOf));
  expect(codes).toContain('CHANGE_REQUEST_IS_NOT_PENDING');

  const unknown = sentenceOf('');
  const silent = [...codes].filter(
    (code) => !NEVER_SHOWN.includes(code) && sentenceOf(code) === unknown,
  );
  expect(silent).toEqual([]);
});
