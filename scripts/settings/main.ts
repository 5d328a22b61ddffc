import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFiles } from './files';
import { ROOT } from './variables';

for (const [file, text] of settingsFiles()) writeFileSync(join(ROOT, file), text);
