import '@fiado/chassis/process-setup';
import { loadEnvFileOrExit } from '@fiado/chassis/config';
import { runCli } from './program';

// The reader of the output may close it early: `fiado … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

async function main(): Promise<void> {
  loadEnvFileOrExit();
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env });
}

void main();
