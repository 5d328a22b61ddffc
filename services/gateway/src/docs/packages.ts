import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const ROOT = resolve(__dirname, '../../../..');

/** A folder whose files go into a package. */
interface Source {
  /** From the root of the repository. */
  folder: string;
  /** Files besides package.json, by their paths in the folder. */
  files: RegExp;
}

/** In the order of their dependencies. */
const CLIENT: Source = { folder: 'libs/client', files: /^README\.md$|^dist\/.*\.(js|d\.ts)$/ };
const CHECK: Source = { folder: 'apps/check', files: /^README\.md$|^bin\/|^dist\/.*\.js$/ };

/** What a package contains beside itself, so that nothing is installed from a registry. */
const BUNDLED_IN_CHECK: Record<string, Source> = {
  '@fiado/client': { ...CLIENT, files: /^dist\/.*\.js$/ },
  commander: { folder: 'node_modules/commander', files: /^LICENSE$|^(index|lib\/.*)\.js$/ },
  'csv-parse': { folder: 'node_modules/csv-parse', files: /^LICENSE$|^dist\/cjs\/.*\.cjs$/ },
};

/**
 * The packages that integrators install, by the names of their files: they are on no registry. Each is packed when it is first asked for, as
 * `npm pack` would, from what the build wrote, and the same files make the same bytes.
 */
export function packagesOf(): Map<string, () => Promise<Buffer>> {
  const packages = new Map<string, () => Promise<Buffer>>();
  for (const [source, bundled] of [
    [CLIENT, {}],
    [CHECK, BUNDLED_IN_CHECK],
  ] as const) {
    const manifest = JSON.parse(readFileSync(join(ROOT, source.folder, 'package.json'), 'utf8'));
    const { name, version } = manifest as { name: string; version: string };
    let packed: Promise<Buffer> | undefined;
    packages.set(`${name.replace('@', '').replace('/', '-')}-${version}.tgz`, () => {
      packed ??= packOf(source, bundled);
      return packed;
    });
  }
  return packages;
}

async function packOf(source: Source, bundled: Record<string, Source>): Promise<Buffer> {
  const own = await entriesOf(source, 'package');
  const manifest = own.find(({ path }) => path === 'package/package.json');
  if (manifest !== undefined) {
    const content = {
      ...JSON.parse(manifest.content.toString()),
      bundleDependencies: Object.keys(bundled),
    };
    manifest.content = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  }
  const licence = await readFile(join(ROOT, 'LICENSE'));
  own.push({ path: 'package/LICENSE', content: licence });
  for (const [name, dependency] of Object.entries(bundled)) {
    own.push(...(await entriesOf(dependency, `package/node_modules/${name}`)));
  }
  return promisify(gzip)(tarOf(own), { level: 9 });
}

interface Entry {
  path: string;
  content: Buffer;
}

/** The files of a folder, in the order of their names. */
async function entriesOf({ folder, files }: Source, into: string): Promise<Entry[]> {
  const from = join(ROOT, folder);
  const names = (await readdir(from, { recursive: true })).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const packed = names.filter((name) => name === 'package.json' || files.test(name)).sort();
  return Promise.all(
    packed.map(async (name) => ({
      path: `${into}/${name}`,
      content: await readFile(join(from, name)),
    })),
  );
}

/** Bytes of a block of a tar archive. */
const BLOCK = 512;
/** That of `npm pack`, in seconds: registries and caches know it as no time. */
const MODIFIED_AT = 499_162_500;

/** An archive in the ustar format. A path has at most 100 bytes. */
function tarOf(entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, content }) => [
    headerOf(path, content.length),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`too long for a package: ${path}`);
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0);
  header.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(size, 11)}\0${octal(MODIFIED_AT, 11)}\0`, 124);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0`, 148);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
