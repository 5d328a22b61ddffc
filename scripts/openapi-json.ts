import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildDocument } from '@fiado/shared/openapi/document';
import { servedRoutes } from './served-routes';

/** The OpenAPI document of the whole API, as it is committed and served by the gateway. */
export function openApiJson(): string {
  const { version } = JSON.parse(
    readFileSync(resolve(repositoryRoot(), 'package.json'), 'utf8'),
  ) as { version: string };
  const document = buildDocument(Object.values(servedRoutes).flat(), version);
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** This file runs from scripts/ in tests and from scripts/dist/ when compiled. */
function repositoryRoot(): string {
  return resolve(__dirname, __dirname.endsWith('dist') ? '../..' : '..');
}
