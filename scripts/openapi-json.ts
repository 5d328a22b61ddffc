import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildDocument, type OpenApiDocument } from '@fiado/chassis/openapi/document';
import type { Readers } from '@fiado/chassis/openapi/document-links';
import type { AnswerForm } from '@fiado/chassis/openapi/open-answers';
import { servedRoutes } from './served-routes';

/** The files that are committed and served by the gateway, and the readers of each. */
export const DOCUMENTS: Record<string, Readers> = {
  'openapi.json': 'integrators',
  'openapi-admin.json': 'ops',
};

/** The OpenAPI document for these readers, as it is committed. */
export function openApiJson(readers: Readers): string {
  return `${JSON.stringify(documentFor(readers, 'open'), null, 2)}\n`;
}

/** The same from memory; `closed` with exactly the fields and values that answers have in this version. */
export function documentFor(readers: Readers, form: AnswerForm): OpenApiDocument {
  const routes = Object.values(servedRoutes).flat();
  return buildDocument(routes, { version: version(), readers, form });
}

/** Of Fiado. */
export function version(): string {
  const file = readFileSync(resolve(repositoryRoot(), 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** This file runs from scripts/ in tests and from scripts/dist/ when compiled. */
export function repositoryRoot(): string {
  return resolve(__dirname, __dirname.endsWith('dist') ? '../..' : '..');
}
