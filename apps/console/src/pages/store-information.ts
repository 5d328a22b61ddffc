import { html, type Html } from '@fiado/chassis/html';
import type {
  BUSINESS_LIFETIMES,
  LOCALE_OWNERS,
  OWNERSHIP_STATUSES,
} from '@fiado/contracts/onboarding';
import type { Say } from '../words';
import { textOf } from './formats';

type Value =
  | (typeof BUSINESS_LIFETIMES)[number]
  | (typeof OWNERSHIP_STATUSES)[number]
  | (typeof LOCALE_OWNERS)[number];

/** What the owner said about the store, as rows of a list; a field of a later release keeps its name. */
export function informationRows(information: Record<string, unknown> | null, say: Say): Html[] {
  const names: Record<string, string> = {
    cornerStoreAddress: say('Dirección', 'Address'),
    cornerStoreType: say('Giro', 'Trade'),
    businessLifetime: say('Abierta desde hace', 'Open for'),
    ownershipStatus: say('Quien la atiende', 'Run by'),
    localeOwner: say('Local', 'Premises'),
  };
  const values: Record<string, string> = valueNames(say);
  return Object.entries(information ?? {}).map(([name, value]) => {
    const text = textOf(value);
    return html`<dt>${names[name] ?? name}</dt>
      <dd>${values[text] ?? text}</dd>`;
  });
}

function valueNames(say: Say): Record<Value, string> {
  return {
    LESS_THAN_SIX_MONTHS: say('menos de seis meses', 'less than six months'),
    LESS_THAN_ONE_YEAR: say('de seis meses a un año', 'six months to a year'),
    'ONE-TO-TWO_YEARS': say('de uno a dos años', 'one to two years'),
    'TWO-TO-THREE_YEARS': say('de dos a tres años', 'two to three years'),
    'THREE-TO-FIVE_YEARS': say('de tres a cinco años', 'three to five years'),
    MORE_THAN_FIVE_YEARS: say('más de cinco años', 'more than five years'),
    DUEÑO: say('su dueño', 'its owner'),
    EMPLEADO: say('un empleado', 'an employee'),
    PROPIO: say('propio', 'owned'),
    ALQUILADO: say('rentado', 'rented'),
  };
}
