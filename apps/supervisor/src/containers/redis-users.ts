import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { ContainersConfig } from './config';

const USERS = resolve(__dirname, '../../../../docker/redis-users.acl');
const DEFAULT_PREFIX = 'fiado';

/**
 * The users of our own Redis as its `aclfile`: docker/redis-users.acl with the prefix of the queues and
 * hashes of the passwords.
 */
export async function redisUsers(config: ContainersConfig): Promise<string> {
  const text = await readFile(USERS, 'utf8');
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('{QUEUE_PREFIX}', config.QUEUE_PREFIX ?? DEFAULT_PREFIX)
    .replaceAll(
      /#\{(\w+)\}/g,
      (_hole, name: keyof ContainersConfig) => `#${sha256(String(config[name]))}`,
    );
}

function sha256(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
