import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireSandbox } from '@fiado/chassis/require-sandbox';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { resetSandbox } from '../use-cases/reset-sandbox';

export const resetSandboxEndpoint = endpoint({
  id: 'resetSandbox',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/reset',
  scope: 'transactions:write',
  summary: 'Cancel your open orders and clear your customers’ debts',
  description:
    'Nothing is deleted: orders are cancelled, and debts are paid by deposits of the sandbox. At ' +
    'most a hundred orders in a call: repeat it until `cancelled` and `cleared` are 0. A corner store ' +
    'that is another wholesaler’s customer too is left alone, and named in `skipped`. In ' +
    'production this is a 404.',
  answer: t.object('SandboxReset', {
    cancelled: { ...t.count, description: 'Orders' },
    cleared: { ...t.count, description: 'Customers whose debts were paid' },
    skipped: { ...t.listOf(t.uuid), description: 'Each `cornerStoreId` that was left alone' },
  }),
  example: { cancelled: 3, cleared: 1, skipped: [] },
  input: ({ caller }, { config }: Context) => {
    requireSandbox(config);
    return { wholesalerId: caller.id };
  },
  handle: resetSandbox,
  present: (reset) => ({ ...reset }),
});
