import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openApiJson } from './openapi-json';

const FILE = resolve(__dirname, '../../services/gateway/openapi.json');

writeFileSync(FILE, openApiJson());
