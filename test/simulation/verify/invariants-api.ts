import type { Resources } from '@fiado/ops-client/generated/resources';
import { accountsService } from '../../../services/accounts/src/service';
import { notifierService } from '../../../services/notifier/src/service';
import { paymentsService } from '../../../services/payments/src/service';
import { transactionsService } from '../../../services/transactions/src/service';
import type { System } from '../system/system';

type Query = Record<string, string | number | undefined>;

/** The parts of an endpoint that a call without HTTP needs. */
interface Definition {
  query: new () => object;
  input: (request: object, context: unknown) => unknown;
  handle: (context: unknown, input: unknown) => Promise<unknown>;
  present: (result: unknown, context: unknown) => object;
}

/** The operations that `fiado verify` calls, as calls of the functions behind the routes. */
export function invariantsOf(system: System): Pick<Resources, 'invariants'> {
  const served = [
    { routes: accountsService.routes, context: system.accounts },
    { routes: transactionsService.routes, context: system.transactions },
    { routes: paymentsService.routes, context: system.payments },
    { routes: notifierService.routes, context: system.notifier },
  ].flatMap(({ routes, context }) =>
    routes.map(({ path, operation }) => ({ path, operation, context })),
  );

  const call = async (path: string, query: Query = {}): Promise<Record<string, unknown>> => {
    const route = served.find((one) => one.path === `/v1/admin/invariants/${path}`);
    if (route === undefined) throw new Error(`No service has the route ${path}`);
    const { operation, context } = route;
    const definition = operation as unknown as Definition;
    const asked = Object.entries(query).filter(([, value]) => value !== undefined);
    const read = Object.assign(new definition.query(), Object.fromEntries(asked));
    const result = await definition.handle(context, definition.input({ query: read }, context));
    // Over HTTP it would be JSON.
    return JSON.parse(JSON.stringify(definition.present(result, context))) as Record<
      string,
      unknown
    >;
  };
  const list = (path: string, items: string) => (query?: Query) => {
    async function* pages(): AsyncGenerator<Record<string, unknown>> {
      for (let cursor = query?.['cursor']; ;) {
        const page = await call(path, { ...query, cursor });
        yield page;
        if (page['nextCursor'] === null) return;
        cursor = page['nextCursor'] as string;
      }
    }
    return {
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const page of pages()) yield* page[items] as object[];
      },
    };
  };
  const invariants = {
    checkAccounts: (query?: Query) => call('accounts', query),
    checkTransactions: (query?: Query) => call('transactions', query),
    checkPayments: (query?: Query) => call('payments', query),
    checkNotifier: (query?: Query) => call('notifier', query),
    listAccountsSums: list('accounts/corner-stores', 'cornerStores'),
    listTransactionsSums: list('transactions/corner-stores', 'cornerStores'),
    listPaymentsSums: list('payments/corner-stores', 'cornerStores'),
    listTransactionsDebts: list('transactions/debts', 'debts'),
    listPaymentsDebts: list('payments/debts', 'debts'),
  };
  return { invariants } as unknown as Pick<Resources, 'invariants'>;
}
