import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildDocument } from '@fiado/chassis/openapi/document';
import type { Readers } from '@fiado/chassis/openapi/introduction';
import { servedRoutes } from './served-routes';

/** The files that are committed and served by the gateway, and the readers of each. */
export const DOCUMENTS: Record<string, Readers> = {
  'openapi.json': 'integrators',
  'openapi-admin.json': 'ops',
};

/** The OpenAPI document for these readers, as it is committed. */
export function openApiJson(readers: Readers): string {
  const { version } = JSON.parse(
    readFileSync(resolve(repositoryRoot(), 'package.json'), 'utf8'),
  ) as { version: string };
  const document = buildDocument(Object.values(servedRoutes).flat(), { version, readers });
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** This file runs from scripts/ in tests and from scripts/dist/ when compiled. */
function repositoryRoot(): string {
  return resolve(__dirname, __dirname.endsWith('dist') ? '../..' : '..');
}
