import { createBindingLoop, type SealedTable } from '@fiado/shared/chassis/bind-sealed-values';
import type { Loop } from '@fiado/shared/chassis/loop';
import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';
import type { Context } from '../context';
import { LOCATION_PURPOSE, WORD_PURPOSE } from '../domain/sealing-purposes';

const SEALED_TABLES: SealedTable[] = [
  {
    table: 'credit_lines',
    id: 'corner_store_id',
    columns: [{ column: 'phone_sealed', purpose: PHONE_PURPOSE }],
  },
  {
    table: 'delivery_words',
    id: 'transaction_id',
    columns: [{ column: 'word_sealed', purpose: WORD_PURPOSE }],
  },
  {
    table: 'transactions',
    id: 'id',
    columns: [{ column: 'location_sealed', purpose: LOCATION_PURPOSE }],
  },
];

/** Binds what the previous release has sealed; nothing while this one seals in the same way. */
export function bindingLoops(context: Context): Loop[] {
  if (context.config.BIND_SEALED_VALUES === 'false') return [];
  return [createBindingLoop(context, SEALED_TABLES)];
}
