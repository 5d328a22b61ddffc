import { existsSync } from 'node:fs';
import { EXIT_BAD_CONFIG } from './config';

const ENV_FILE = '.env';

/**
 * Adds the variables of `.env` in the current folder to the environment, if the file is there. A
 * variable that is set already stays. A file that cannot be read ends the process.
 */
export function loadEnvFileOrExit(): void {
  if (!existsSync(ENV_FILE)) return;
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (error) {
    process.stderr.write(`${ENV_FILE} cannot be read: ${(error as Error).message}\n`);
    process.exit(EXIT_BAD_CONFIG);
  }
}
