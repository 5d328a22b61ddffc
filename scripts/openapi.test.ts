import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { EXPORT_KINDS_OF } from '@fiado/contracts/exports';
import { DEFAULT_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { documentPath, type OpenApiDocument } from '@fiado/chassis/openapi/document';
import { DOCUMENT_SLUGS } from '@fiado/chassis/openapi/document-links';
import * as fields from '@fiado/chassis/openapi/fields';
import type { JsonSchema } from '@fiado/chassis/openapi/json-schema';
import { findOpenRoute, findRoute } from '@fiado/gateway/forwarding/route-table';
import { guidesJson } from './guides-json';
import { DOCUMENTS, documentFor, openApiJson } from './openapi-json';
import { servedRoutes } from './served-routes';

/** Each schema is used once or twice, so what it is compiled to need not be fast. */
const COMPILED_ONCE = { optimize: false };

/** What several services serve, each for some of its paths, counts once. */
const uniqueRoutes = [
  ...new Map(
    Object.values(servedRoutes)
      .flat()
      .map((route) => [route.operation ?? route, route]),
  ).values(),
];

const documents = Object.entries(DOCUMENTS).map(([file, readers]) => ({
  file,
  readers,
  document: JSON.parse(openApiJson(readers)) as OpenApiDocument,
}));

it('the guides of /docs are those of docs/guides', () => {
  const committed = readFileSync(resolve(__dirname, '../services/gateway/guides.json'), 'utf8');
  expect(JSON.parse(committed)).toEqual(JSON.parse(guidesJson()));
});

/** Every place of the document that has both a schema and an example of it, with its path. */
function* exampled(node: unknown, path: string[]): Generator<{ path: string[]; value: unknown }> {
  if (typeof node !== 'object' || node === null) return;
  if ('schema' in node && 'example' in node) {
    yield { path: [...path, 'schema'], value: node.example };
  }
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'example') yield* exampled(child, [...path, name]);
  }
}

/** Every property of a schema, with the name of the schema if it has one. */
function* described(
  node: unknown,
  schema?: string,
): Generator<{ name: string; schema: string | undefined; property: JsonSchema }> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties') {
      for (const [name, property] of Object.entries(child as Record<string, JsonSchema>)) {
        yield { name, schema, property };
      }
    }
    yield* described(child, schema);
  }
}

/** Everything that answers are described by: their schemas, and the components that these use. */
function answersOf({ paths, components }: OpenApiDocument): unknown[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answers: unknown[] = operations.map((one) => (one as { responses: object }).responses);
  const named = (node: unknown) => [
    ...JSON.stringify(node).matchAll(/"#\/components\/(schemas|responses)\/([\w-]+)"/g),
  ];
  const found = new Set<string>();
  for (const node of answers) {
    for (const [reference, group = '', name = ''] of named(node)) {
      if (!found.has(reference)) answers.push(components[group]?.[name]);
      found.add(reference);
    }
  }
  return answers;
}

function pointer(path: string[]): string {
  return path
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
}

it('every route under /v1 is in one of the documents, but for the steps of a sign-in and links', () => {
  const served = uniqueRoutes
    .filter(({ path }) => path.startsWith('/v1/'))
    .filter(({ path }) => !/^\/v1\/(sign-in|downloads)\//.test(path))
    .map(({ method, path }) => `${method} ${documentPath(path)}`);
  const documented = documents.flatMap(({ document }) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    ),
  );

  expect(documented.sort()).toEqual(served.sort());
  expect(new Set(served).size).toBe(served.length);
});

/** A path as it leads to one of the services that serve it. */
function pathOfService(path: string, service: string): string {
  const kinds: Record<string, readonly string[]> = EXPORT_KINDS_OF;
  return path.replace(':exportKind', kinds[service]?.[0] ?? '');
}

it('the gateway sends every route to the service that serves it', () => {
  const sent = Object.entries(servedRoutes).flatMap(([service, routes]) =>
    routes
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ method, path }) => {
        const own = pathOfService(path, service);
        const route = findOpenRoute(method.toUpperCase(), own) ?? findRoute(own);
        return [own, service, route?.upstream];
      }),
  );

  expect(sent.filter(([, service, upstream]) => service !== upstream)).toEqual([]);
});

it('the gateway takes from each group of routes the longest body that one of them takes', () => {
  const longest = new Map<string, { taken: number; needed: number }>();
  for (const { method, path, bodyLimit = DEFAULT_BODY_LIMIT } of Object.values(
    servedRoutes,
  ).flat()) {
    const route = findRoute(path);
    if (method === 'get' || route === undefined) continue;
    const needed = Math.max(bodyLimit, longest.get(route.pattern)?.needed ?? 0);
    longest.set(route.pattern, { taken: route.maxBodyLength, needed });
  }

  expect([...longest].filter(([, { taken, needed }]) => taken !== needed)).toEqual([]);
});

it('every write of a wholesaler or provider accepts an Idempotency-Key', () => {
  const without = Object.values(servedRoutes)
    .flat()
    .filter(({ method, path }) => ['post', 'put'].includes(method) && path.startsWith('/v1/'))
    .filter(({ allow }) => allow.includes('wholesaler') || allow.includes('provider'))
    .filter(({ operation }) => operation?.idempotent !== true)
    .map(({ operation }) => String(operation?.id));

  // A second call of these has no effect beyond that of the first.
  expect(without.sort()).toEqual([
    'changeEventSettings',
    'checkTransaction',
    'createAccountLink',
    'getCornerStores',
    'issueAccessToken',
    'resetSandbox',
    'setSandboxClock',
    'setTaxProfile',
  ]);
});

describe.each(documents)('$file', ({ file, readers, document }) => {
  it('promises that a request takes effect once only where operations take an Idempotency-Key', () => {
    const promised = JSON.stringify(document.info).includes('takes effect once');
    const reference = '"#/components/parameters/Idempotency-Key"';
    expect(promised).toBe(JSON.stringify(document.paths).includes(reference));
  });

  it('every operation may answer 403: a key may be bound to other addresses', () => {
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string; responses: object }>),
    );
    const without = operations.filter(({ responses }) => !('403' in responses));
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('an answer or event may get new fields and values: it lists those of this version', () => {
    const answers = [answersOf(document), document.webhooks].map((one) => JSON.stringify(one));
    const closed = JSON.stringify(answersOf(documentFor(readers, 'closed')));

    expect(answers.join('').match(/"additionalProperties":false|"(?:const|enum)":/g)).toBeNull();
    expect(answers.join('')).toContain('"x-known-values":["');
    expect(closed).toContain('"additionalProperties":false');
    expect(closed).toContain('"enum":["');
  });

  it('an error is an Error, but for both exceptions of the specification', () => {
    const { schemas = {}, responses = {} } = document.components;
    const errors = [
      ...Object.values(responses),
      ...Object.values(document.paths)
        .flatMap((methods) => Object.values(methods as Record<string, { responses: object }>))
        .flatMap((operation) => Object.entries(operation.responses))
        .flatMap(([status, one]) => (Number(status) < 400 || '$ref' in one ? [] : [one])),
    ];
    const named = JSON.stringify(errors).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);

    expect(new Set([...named].map(([, name]) => name))).toEqual(
      new Set(['Error', 'ValidationError', ...(readers === 'ops' ? [] : ['CodeAndMessage'])]),
    );
    expect(JSON.stringify(errors)).not.toContain('"properties"');
    expect(Object.keys(schemas).filter((name) => name.endsWith('Error'))).toEqual([
      'Error',
      'ValidationError',
    ]);
  });

  it('each answer to a known credential has the headers of the rate limit', () => {
    const shared = document.components.responses ?? {};
    const paths = document.paths as Record<string, Record<string, { responses: JsonSchema[] }>>;
    const lacking = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .map(([status, one]) => ({
            status,
            one: shared[one.$ref?.split('/').at(-1) ?? ''] ?? one,
          }))
          .filter(({ one }) => !JSON.stringify(one).includes('RateLimit-Limit'))
          .map(({ status }) => `${method} ${path} ${status}`),
      ),
    );
    expect(lacking.filter((one) => !one.endsWith(' 401'))).toEqual([]);
  });

  it('is committed as it is generated: run npm run generate', () => {
    const committed = readFileSync(resolve(__dirname, '../services/gateway', file), 'utf8');

    expect(JSON.parse(committed)).toEqual(document);
  });

  it('every reference resolves', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    const lost = [...new Set([...references].map(([, path = '']) => path))].filter((path) => {
      const found = path
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document);
      return found === undefined;
    });

    expect(lost).toEqual([]);
  });

  it('the table of errors and the operations link to each other', () => {
    const slug = DOCUMENT_SLUGS[readers];
    const { description = '' } = document.info as { description?: string };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { description: string; tags: string[] }>).map(
        ([
          method,
          {
            tags: [tag = ''],
            ...operation
          },
        ]) => ({
          description: operation.description,
          place: `#${slug}/tag/${tag.toLowerCase().replace(/:? /, '-').replaceAll(' ', '-')}/${method.toUpperCase()}${path}`,
        }),
      ),
    );
    const places = operations.map(({ place }) => place);
    const links = [...description.matchAll(/\]\((#[^)]+)\)/g)].map(([, link]) => link);
    const toTable = `](#${slug}/description/errors)`;

    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !places.includes(link ?? ''))).toEqual([]);
    expect(description).toContain('\n## Errors\n');
    expect(
      operations.filter((one) => one.description.includes(toTable) !== (readers === 'integrators')),
    ).toEqual([]);
  });

  it('every schema is one, and every example is of its schema', () => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      validateSchema: true,
      code: COMPILED_ONCE,
    });
    addFormats(ajv, { formats: ['uuid', 'date-time', 'uri', 'email', 'double'] });
    ajv.addFormat('binary', true);
    ajv.addVocabulary([
      'example',
      'x-known-values',
      'openapi',
      'info',
      'servers',
      'security',
      'tags',
      'paths',
      'webhooks',
      'components',
    ]);
    ajv.addSchema(document, 'fiado');
    const examples = [
      ...exampled(document.paths, ['paths']),
      ...exampled(document.webhooks, ['webhooks']),
    ];
    const wrong = examples.filter(({ path, value }) => {
      const validate = ajv.getSchema(`fiado#/${pointer(path)}`);
      return validate?.(value) !== true;
    });

    expect(examples.length).toBeGreaterThan(Object.keys(document.paths).length);
    expect(wrong.map(({ path }) => path.join(' '))).toEqual([]);
    for (const name of Object.keys(document.components.schemas ?? {})) {
      expect(ajv.getSchema(`fiado#/components/schemas/${name}`)).toBeInstanceOf(Function);
    }
  });
});

it('a field that two codes have with different words has the words of both', () => {
  const own = documents.find(({ readers }) => readers === 'integrators')?.document;
  expect(own?.components.schemas).toMatchObject({
    Error: {
      properties: {
        reason: { 'x-known-values': expect.arrayContaining(['expired', 'no-invoice-issuer']) },
      },
    },
  });
});

it('every property has a description, and every one of one value an example of its schema', () => {
  const ajv = new Ajv2020({ strict: false, code: COMPILED_ONCE });
  addFormats(ajv, { formats: ['uuid', 'date-time', 'uri', 'email', 'double'] });
  const properties = documents.flatMap(({ document }) => {
    const { schemas = {}, ...rest } = document.components;
    return [
      ...Object.entries(schemas).flatMap(([name, schema]) => [...described(schema, name)]),
      ...described([document.paths, document.webhooks, rest]),
    ];
  });
  const needsNoExample = ({
    enum: values,
    'x-known-values': known,
    $ref,
    items,
    type,
    anyOf,
  }: JsonSchema): boolean =>
    (values ?? known ?? $ref ?? items) !== undefined ||
    [type].flat().some((one) => one === 'object' || one === 'boolean') ||
    anyOf?.some(needsNoExample) === true;

  // The error answers themselves have examples.
  const isErrorText = (name: string, schema?: string) =>
    schema === undefined && ['errorMessage', 'message'].includes(name);

  const without = properties.filter(
    ({ name, schema, property }) =>
      property.description === undefined ||
      (property.examples === undefined && !needsNoExample(property) && !isErrorText(name, schema)),
  );
  // The same property is in many answers, and in several documents.
  const different = new Map(properties.map((one) => [JSON.stringify(one.property), one]));
  const wrong = [...different.values()].filter(({ property: { examples = [], ...schema } }) =>
    examples.some((example) => !ajv.validate(schema, example)),
  );

  const parameters = documents.flatMap(({ document }) =>
    Object.keys(document.paths).flatMap((path) => path.match(/(?<=\{)\w+/g) ?? []),
  );
  const used = new Set([...properties.map(({ name }) => name), ...parameters]);

  expect(properties.length).toBeGreaterThan(500);
  expect(without.map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
  expect(wrong.map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
  expect(Object.keys(fields).filter((name) => !used.has(name))).toEqual([]);
});

it('every parameter has a description', () => {
  const parameters = documents
    .flatMap(({ document }) => Object.values(document.paths))
    .flatMap((methods) => Object.values(methods) as { parameters?: object[] }[])
    .flatMap(({ parameters: own = [] }) => own);

  expect(parameters.filter((one) => !('$ref' in one) && !('description' in one))).toEqual([]);
});
