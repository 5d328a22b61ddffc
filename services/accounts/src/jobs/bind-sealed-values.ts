import { createBindingLoop, type SealedTable } from '@fiado/shared/chassis/bind-sealed-values';
import type { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { PURPOSE } from '../domain/sealing-purposes';

const SEALED_TABLES: SealedTable[] = [
  {
    table: 'users',
    id: 'id',
    columns: [
      { column: 'first_name', purpose: PURPOSE.firstName },
      { column: 'last_names', purpose: PURPOSE.lastNames },
      {
        column: 'phone',
        purpose: PURPOSE.phone,
        boundTo: '(SELECT store.id FROM corner_stores store WHERE store.user_id = users.id)',
      },
      { column: 'latitude', purpose: PURPOSE.latitude },
      { column: 'longitude', purpose: PURPOSE.longitude },
      { column: 'contacts', purpose: PURPOSE.contacts },
    ],
  },
  {
    table: 'corner_stores',
    id: 'id',
    columns: [
      { column: 'name', purpose: PURPOSE.cornerStoreName },
      { column: 'information', purpose: PURPOSE.information },
    ],
  },
  { table: 'verifications', id: 'id', columns: [{ column: 'phone', purpose: PURPOSE.phone }] },
];

/** Binds what the previous release has sealed; nothing while this one seals in the same way. */
export function bindingLoops(context: Context): Loop[] {
  if (context.config.BIND_SEALED_VALUES === 'false') return [];
  return [createBindingLoop(context, SEALED_TABLES)];
}
