import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFiles } from './settings/files';
import { ROOT } from './settings/variables';

const files = [...settingsFiles()];

it.each(files)('%s is what `npm run generate` writes', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text);
});

it('no secret is a setting of the chart or of the containers', () => {
  const [, compose = ''] = files.find(([file]) => file === 'docker-compose.yml') ?? [];
  const [, schema = ''] = files.find(([file]) => file.endsWith('values.schema.json')) ?? [];
  expect(compose).toContain('\n  RATE_LIMIT_PER_SECOND:\n');
  for (const text of [compose, schema]) {
    expect(text).not.toMatch(
      /^ *"?(CODE_PEPPER|TWILIO_AUTH_TOKEN|DATABASE_URL|REDIS_PASSWORD)"?:/m,
    );
  }
});
