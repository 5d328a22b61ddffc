import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOCUMENTS, openApiJson } from './openapi-json';

for (const [file, readers] of Object.entries(DOCUMENTS)) {
  writeFileSync(resolve(__dirname, '../../services/gateway', file), openApiJson(readers));
}
