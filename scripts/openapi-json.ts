import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildDocument } from '@fiado/chassis/openapi/document';
import type { Readers } from '@fiado/chassis/openapi/document-links';
import { servedRoutes } from './served-routes';

/** The files that are committed and served by the gateway, and the readers of each. */
export const DOCUMENTS: Record<string, Readers> = {
  'openapi.json': 'integrators',
  'openapi-admin.json': 'ops',
};

/** The OpenAPI document for these readers, as it is committed. */
export function openApiJson(readers: Readers): string {
  const routes = Object.values(servedRoutes).flat();
  const document = buildDocument(routes, { version: version(), readers });
  return `${JSON.stringify(document, null, 2)}\n`;
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
