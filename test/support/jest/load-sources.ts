import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { createScriptTransformer } from '@jest/transform';

/** A project of jest.config.mjs, as Jest passes it on. */
export interface ProjectConfig {
  testTimeout: number;
  moduleNameMapper: [pattern: string, target: string | string[]][];
}

interface Loader {
  _extensions: Record<
    string,
    (module: { _compile(code: string, filename: string): void }, filename: string) => void
  >;
  _resolveFilename(
    request: string,
    from: { filename?: string | null } | undefined,
    ...rest: unknown[]
  ): string;
}

const COMMON_JS = {
  instrument: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

/** Of each source that was loaded, the file with its map, for stack traces. */
export const sourceMaps = new Map<string, string>();

let installing: Promise<void> | undefined;

/**
 * From now on `require` of this process loads TypeScript, compiled as jest.config.mjs says, and finds
 * the sources of workspaces. Node keeps what it has loaded, so the files of a worker share their modules.
 */
export function loadSourcesAs(config: ProjectConfig): Promise<void> {
  return (installing ??= install(config));
}

async function install(config: ProjectConfig): Promise<void> {
  const transformer = await createScriptTransformer(
    config as Parameters<typeof createScriptTransformer>[0],
  );
  const loader = Module as unknown as Loader;
  loader._extensions['.ts'] = (module, filename) => {
    const source = readFileSync(filename, 'utf8');
    const { code, sourceMapPath } = transformer.transformSource(filename, source, COMMON_JS);
    if (sourceMapPath !== null) sourceMaps.set(filename, sourceMapPath);
    module._compile(code, filename);
  };
  const workspaces = config.moduleNameMapper.map(
    ([pattern, target]) => [new RegExp(pattern), String(target)] as const,
  );
  const resolve = loader._resolveFilename.bind(loader);
  loader._resolveFilename = (request, from, ...rest) => {
    const [pattern, target] = workspaces.find(([name]) => name.test(request)) ?? [];
    const path = pattern && target ? request.replace(pattern, target) : request;
    // A dynamic import of a source names the compiled file.
    const isOfSource = path.startsWith('.') && from?.filename?.endsWith('.ts') === true;
    return resolve(isOfSource ? path.replace(/\.js$/, '') : path, from, ...rest);
  };
}
