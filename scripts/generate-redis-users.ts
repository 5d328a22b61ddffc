import { readFileSync, writeFileSync } from 'node:fs';
import { redisUserFiles } from './redis-users';

void redisUserFiles().then((files) => {
  for (const { path, write } of files) writeFileSync(path, write(readFileSync(path, 'utf8')));
});
