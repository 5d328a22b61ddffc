import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repositoryRoot } from '../openapi-json';

const HELP = `BASE=http://127.0.0.1:3000/v1 KEY=fiado_test_... npm run test:generators [-- name ...]

Generates a client from services/gateway/openapi.json with each generator whose tools are installed, compiles it,
and lets an order go from its code to the delivery with those in Java, Go and Python. The system at BASE is a
sandbox, and KEY a wholesaler's. Without BASE it compiles only. What fails is in artifacts/generators/<name>/log.txt.
`;

const ROOT = repositoryRoot();
const DOCUMENT = join(ROOT, 'services/gateway/openapi.json');
const OUTPUT = join(ROOT, 'artifacts/generators');
const STORIES = join(ROOT, 'scripts/test-generators/stories');
/** 1,234,567.89 with 5 % interest and 16 % IVA on it: 32 bits would lose centavos. */
const OWED = '1306172.82';

const OPENAPI_GENERATOR = '7.25.0';
const OAPI_CODEGEN = 'v2.8.2';
const OPENAPI_PYTHON_CLIENT = '0.29.1';

interface Generator {
  name: string;
  version: string;
  /** Programs without which nothing is generated. */
  needs: string[];
  /** Shell commands, in the generator's folder. */
  generate: string;
  /** The program without which the client is not compiled. */
  compiler: string;
  compile: string;
  story?: { file: string; to: string; run: string };
}

/** @param options of the generator's command line, as the guide for other languages names them */
function openApiGenerator(language: string, options: string): string {
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  return `mvn -q -B ${copy} -Dartifact=${artifact} -DoutputDirectory=../jar
java -jar ../jar/openapi-generator-cli-${OPENAPI_GENERATOR}.jar generate -i ${DOCUMENT} -g ${language} -o client \\
  --global-property apiTests=false,modelTests=false ${options}`;
}

const GENERATORS: Generator[] = [
  {
    name: 'java',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: openApiGenerator(
      'java',
      '--library native --type-mappings double=BigDecimal --import-mappings BigDecimal=java.math.BigDecimal ' +
        '--inline-schema-options RESOLVE_INLINE_ENUMS=true',
    ),
    compiler: 'javac',
    compile: 'cd client && mvn -q -B compile',
    story: {
      file: 'Story.java',
      to: 'client/src/main/java',
      run: 'cd client && mvn -q -B compile org.codehaus.mojo:exec-maven-plugin:3.5.0:java -Dexec.mainClass=Story',
    },
  },
  {
    name: 'typescript',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: openApiGenerator('typescript-fetch', ''),
    compiler: 'node',
    compile: `${join(ROOT, 'node_modules/.bin/tsc')} --ignoreConfig --noEmit --strict --target es2022 --module nodenext \\
  --lib es2022,dom client/index.ts`,
  },
  {
    name: 'php',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: openApiGenerator('php', ''),
    compiler: 'php',
    compile: "find client/lib -name '*.php' -print0 | xargs -0 -n 1 php -l",
  },
  {
    name: 'csharp',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: openApiGenerator('csharp', '--type-mappings double=decimal'),
    compiler: 'dotnet',
    compile: 'cd client && dotnet build -warnaserror',
  },
  {
    name: 'rust',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: openApiGenerator('rust', ''),
    compiler: 'cargo',
    compile: 'cd client && cargo check -q',
  },
  {
    name: 'go',
    version: OAPI_CODEGEN,
    needs: ['go'],
    generate: `cat > config.yaml <<'YAML'
package: fiado
output: fiado/fiado.gen.go
generate: {models: true, client: true}
output-options:
  skip-prune: true # types that only webhooks use
  type-mapping: {number: {formats: {double: {type: json.Number, import: encoding/json}}}}
YAML
mkdir fiado && go mod init story
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN} -config config.yaml ${DOCUMENT}
go mod tidy`,
    compiler: 'go',
    compile: 'go vet ./...',
    story: { file: 'story.go', to: '.', run: 'go run .' },
  },
  {
    name: 'python',
    version: OPENAPI_PYTHON_CLIENT,
    needs: ['python3'],
    generate: `python3 -m venv tools
tools/bin/pip install -q openapi-python-client==${OPENAPI_PYTHON_CLIENT} ruff mypy types-python-dateutil
export PATH=$PWD/tools/bin:$PATH
openapi-python-client generate --path ${DOCUMENT} --output-path client --fail-on-warning`,
    compiler: 'python3',
    compile: 'cd client && ../tools/bin/mypy --strict fiado_client',
    story: { file: 'story.py', to: 'client', run: 'cd client && ../tools/bin/python story.py' },
  },
];

/** @returns the result for the table, and whether it is one that the guide promises */
function resultOf({
  name,
  needs,
  generate,
  compiler,
  compile,
  story,
}: Generator): [string, boolean] {
  const folder = join(OUTPUT, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const missing = needs.filter((program) => !has(program));
  if (missing.length > 0) return [`skipped: ${missing.join(', ')} is not installed`, true];
  if (run(folder, generate) === undefined) return ['does not generate', false];
  if (!has(compiler)) return [`generates; not compiled: ${compiler} is not installed`, true];
  if (run(folder, compile) === undefined) return ['does not compile', false];
  if (story === undefined) return ['generates and compiles', true];
  if (process.env.BASE === undefined) return ['generates and compiles; BASE is not set', true];
  copyFileSync(join(STORIES, story.file), join(folder, story.to, story.file));
  const owed = stripVTControlCharacters(run(folder, story.run) ?? 'an error').trim();
  if (owed === OWED) return ['generates, compiles and delivers an order', true];
  return [`the story ends with ${owed} and not ${OWED}`, false];
}

function has(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

/** @returns what the commands printed; undefined if one failed */
function run(folder: string, commands: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', commands], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 100 * 1024 * 1024,
  });
  writeFileSync(join(folder, 'log.txt'), `${commands}\n\n${stdout}\n${stderr}`, { flag: 'a' });
  return status === 0 ? stdout : undefined;
}

function main(names: string[]): number {
  if (names.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const chosen = GENERATORS.filter(({ name }) => names.length === 0 || names.includes(name));
  const results = chosen.map((generator) => {
    const [result, isGood] = resultOf(generator);
    process.stdout.write(`${generator.name} (${generator.version}): ${result}\n`);
    return isGood;
  });
  return results.every(Boolean) && chosen.length > 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
