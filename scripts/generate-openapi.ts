import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { guidesJson } from './guides-json';
import { DOCUMENTS, openApiJson } from './openapi-json';

const gateway = resolve(__dirname, '../../services/gateway');
for (const [file, readers] of Object.entries(DOCUMENTS)) {
  writeFileSync(resolve(gateway, file), openApiJson(readers));
}
writeFileSync(resolve(gateway, 'guides.json'), guidesJson());
