import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../../..');
const CLIENT = join(ROOT, 'libs/client');
const run = promisify(execFile);
/** A registry that does not answer must not hold a test up. */
const INSTALL_MS = 60_000;

/** The oldest compiler that the client supports. */
const OLD_COMPILER = 'typescript@5.4.5';

/** An integrator's project that has the packed client, and nothing of this repository. */
export interface Consumer {
  folder: string;
  /** Names of the installed packages, and bytes of the client's code. */
  installed(): Promise<{ packages: string[]; bytes: number }>;
  /** @returns the problems that a compiler finds in a file, with `strict` and without skipLibCheck */
  compile(compiler: string, file: string, types: string[]): Promise<string>;
  run(file: string, env: Record<string, string>): Promise<string>;
  dispose(): Promise<void>;
}

/** The client as `/docs` serves it. */
const PACKED = 'fiado-client-1.0.0.tgz';

/** Installs the client that a system serves in an empty folder, without a registry. */
export async function createConsumer({ baseUrl }: { baseUrl: string }): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-consumer-'));
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  const served = await fetch(`${baseUrl}/docs/packages/${PACKED}`);
  await writeFile(join(folder, PACKED), Buffer.from(await served.arrayBuffer()));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', `./${PACKED}`], { cwd: folder, env });
  const [, story = ''] =
    /^```ts\n(import [^]*?)^```$/m.exec(await readFile(join(CLIENT, 'README.md'), 'utf8')) ?? [];
  await writeFile(join(folder, 'story.mts'), story);
  const types = await readFile(join(CLIENT, 'test/types/consumer.ts'), 'utf8');
  await writeFile(join(folder, 'types.ts'), types);

  return {
    folder,
    installed: async () => {
      const modules = join(folder, 'node_modules');
      const found = await readdir(join(modules, '@fiado/client/dist'), { recursive: true });
      const code = found.filter((name) => name.endsWith('.js'));
      const sizes = code.map((name) => stat(join(modules, '@fiado/client/dist', name)));
      const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
      const packages = (await readdir(modules)).filter((name) => !name.startsWith('.'));
      return { packages, bytes };
    },
    compile: async (compiler, file, libraries) => {
      const options = {
        strict: true,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        lib: ['es2022'],
        module: 'nodenext',
        types: libraries,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      };
      const config = join(folder, `tsconfig.${file}.json`);
      await writeFile(config, JSON.stringify({ compilerOptions: options, files: [file] }));
      return run(process.execPath, [compiler, '-p', config], { cwd: folder }).then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      );
    },
    run: async (file, variables) =>
      (await run(process.execPath, [file], { cwd: folder, env: variables })).stdout,
    dispose: () => rm(folder, { recursive: true }),
  };
}

/** The compiler of this repository. */
export const OWN_COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/**
 * Installs the oldest supported compiler in a folder. Waits for it, because Jest must know before the
 * first test which ones it skips.
 * @returns its path; undefined if no registry answers
 */
export function installOldCompiler(folder: string): string | undefined {
  const args = ['install', '--no-audit', '--prefer-offline', '--no-save', OLD_COMPILER];
  const { status } = spawnSync('npm', args, { cwd: folder, timeout: INSTALL_MS });
  return status === 0 ? join(folder, 'node_modules/typescript/bin/tsc') : undefined;
}
