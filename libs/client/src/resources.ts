import { call } from './call';
import { keyCredentials, tokenCredentials } from './credentials';
import { ROUTES } from './generated/resources';
import { pagesOf } from './pages';
import type { Route } from './route';
import type { Transport } from './send';
import { settingsOf, type FiadoOptions } from './settings';
import type { AnswerOf } from './types';

export type { Route } from './route';
export type { AnswerIn, BodyIn, ItemIn, QueryIn } from './types';

type Method = (...args: unknown[]) => unknown;

/**
 * Methods for the operations of an API document, by resource and name. The key stays in closures, so
 * that nothing prints it.
 * @throws TypeError for options that cannot work
 */
export function createResources(
  options: FiadoOptions,
  routes: Record<string, Route>,
): Record<string, Record<string, Method>> {
  const transport = transportOf(options);
  const resources: Record<string, Record<string, Method>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const { resource, name, items } = route;
    const operation = { id, ...route };
    const method: Method =
      items === undefined
        ? (...args) => call(transport, operation, args)
        : (...args) =>
            pagesOf((next) => call(transport, operation, args, next) as Promise<object>, items);
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
