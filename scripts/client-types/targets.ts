import type { Readers } from '@fiado/chassis/openapi/document-links';

/** An API document, and what is generated from it. Paths are from the repository's root. */
export interface Target {
  document: string;
  /** Of the document. */
  readers: Readers;
  /** Folder of `resources.ts` and `schema.ts`. */
  folder: string;
  /** The imports of `resources.ts`. */
  imports: string;
}

/** The client for integrators. */
export const PUBLIC: Target = {
  document: 'services/gateway/openapi.json',
  readers: 'integrators',
  folder: 'libs/client/src/generated',
  imports: `import type { Route } from '../call';
import type { Pages } from '../pages';
import type { RequestOptions } from '../settings';
import type { AnswerOf, BodyOf, ItemOf, QueryOf } from '../types';
`,
};

/** The command line and the console: what ops may call is not in the package for integrators. */
const OPS: Target = {
  document: 'services/gateway/openapi-admin.json',
  readers: 'ops',
  folder: 'libs/ops-client/src/generated',
  imports: `import type { Pages, RequestOptions } from '@fiado/client';
import type { Route } from '@fiado/client/resources';
import type { AnswerOf, BodyOf, ItemOf, QueryOf } from '../operations';
`,
};

export const CLIENTS = [PUBLIC, OPS] as const;
