import { call, requestOf, type Query, type Operation, type Route } from './call';
import { keyCredentials, tokenCredentials } from './credentials';
import { ROUTES } from './generated/resources';
import { pagesOf } from './pages';
import type { Transport } from './send';
import { settingsOf, type FiadoOptions } from './settings';
import type { AnswerOf } from './types';

export { requestOf };
export type { Operation, Route };
export type { AnswerIn, BodyIn, ItemIn, QueryIn } from './types';

type Method = (...args: unknown[]) => unknown;

/**
 * Calls an operation with the arguments of its method; `requestOf` reads them.
 * @param changes of the query, or of the body of a search, for the next page
 * @returns the body of the answer
 */
export type Caller = (
  operation: Operation,
  args: readonly unknown[],
  changes: Query,
) => Promise<unknown>;

/**
 * Methods for the operations of an API document, by resource and name, over the transport of this
 * client. The key stays in closures, so that nothing prints it.
 * @throws TypeError for options that cannot work
 */
export function createResources(
  options: FiadoOptions,
  routes: Record<string, Route>,
): Record<string, Record<string, Method>> {
  const transport = transportOf(options);
  return resourcesOf(routes, (...one) => call(transport, ...one));
}

/** The same methods over a transport of the caller's own. */
export function resourcesOf(
  routes: Record<string, Route>,
  caller: Caller,
): Record<string, Record<string, Method>> {
  const resources: Record<string, Record<string, Method>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const { resource, name = id, items } = route;
    const operation = { id, method: 'GET', ...route };
    const method: Method =
      items === undefined
        ? (...args) => caller(operation, args, {})
        : (...args) => pagesOf((next) => caller(operation, args, next) as Promise<object>, items);
    (resources[resource] ??= {})[name] = method;
  }
  return resources;
}

function transportOf(options: FiadoOptions): Transport {
  const settings = settingsOf(options);
  const withKey = { settings, credentials: keyCredentials(options.apiKey) };
  if (options.tokens !== true) return withKey;
  const operation = { id: 'issueAccessToken', ...ROUTES.issueAccessToken };
  const issue = (): Promise<AnswerOf<'issueAccessToken'>> =>
    call(withKey, operation, []) as Promise<AnswerOf<'issueAccessToken'>>;
  return { settings, credentials: tokenCredentials(issue) };
}
