import { IsString } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { requireSandbox } from '@fiado/chassis/service-config';
import { About } from '@fiado/contracts/about';
import { ValidationError } from '@fiado/contracts/errors';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { detectDefaults } from '../defaults/detect-defaults';
import { endOrders, leftAlone } from './orders';

class SandboxClockBody {
  /** ISO 8601 with a zone. */
  @About(
    'Time as of which orders expire and defaults open; not in the past',
    '2026-12-24T12:00:00Z',
  )
  @IsString()
  now: string;
}

export const setSandboxClockEndpoint = endpoint({
  id: 'setSandboxClock',
  as: 'sandbox.setClock',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/clock',
  scope: 'transactions:write',
  names: {},
  summary: 'Let time pass for your orders',
  description:
    'Orders that are expired at that future moment expire, and debts that are overdue then go into ' +
    'default. No clock is changed: what happens later has the real time. At most a hundred orders in ' +
    'a call: repeat it until `expired` and `opened` are 0. A corner store that is another ' +
    'wholesaler’s customer too is left alone, and named in `skipped`. In production this is a 404.',
  body: SandboxClockBody,
  bodyExample: { now: '2027-03-01T00:00:00Z' },
  answer: t.object('SandboxClock', {
    now: t.time(
      'Time as of which orders expire and defaults open; not in the past',
      '2027-03-01T00:00:00.000Z',
    ),
    expired: t.field(t.count, 'Number of orders that expired', 2),
    opened: t.field(t.count, 'Number of defaults that were opened', 1),
    skipped: t.field(leftAlone, 'Corner stores of other wholesalers as well'),
  }),
  input: (request, { config }: Context) => {
    requireSandbox(config);
    const now = momentWithOffset(request.body.now);
    if (now === undefined) {
      throw new ValidationError(['now must be a real ISO 8601 timestamp with a zone']);
    }
    return { wholesalerId: request.caller.id, now };
  },
  // Lets a wholesaler's orders see a later time, in a sandbox: orders that are expired by then
  // expire, and debts that are overdue by then go into default. No clock is changed.
  handle: async (context: Context, { wholesalerId, now }) => {
    const past = await query(context.db, 'SELECT WHERE $1::timestamptz <= now()', [now]);
    if (past.length > 0) throw new ValidationError(['now must be a moment in the future']);

    const { ended, owed, skipped } = await endOrders(context, { wholesalerId, asOf: now });
    const transactionIds = owed.map(({ transactionId }) => transactionId);
    const { opened } = await detectDefaults(context, { asOf: now, transactionIds });
    return { now, expired: ended, opened, skipped };
  },
  present: ({ now, ...passed }) => ({ now: now.toISOString(), ...passed }),
});
