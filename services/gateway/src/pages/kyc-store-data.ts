import { html, type Html } from '@fiado/chassis/html';
import {
  BUSINESS_LIFETIMES,
  CORNER_STORE_TYPES,
  LOCALE_OWNERS,
  MAX_STORE_ADDRESS,
  MAX_STORE_NAME,
  OWNERSHIP_STATUSES,
  type CornerStoreInformation,
} from '@fiado/contracts/onboarding';
import { formField } from './form-field';
import { textIn } from './forms';
import { progressOf, SCREENS, STORE_DATA_PATH } from './kyc-views';
import { noticeOf, problem, type Notice, type Page } from './layout';

type FieldName = keyof CornerStoreInformation | 'cornerStoreName';

/** A field of the form: a text, or one of the values, each with its words. */
interface Field {
  name: FieldName;
  label: string;
  maxLength?: number;
  autocomplete?: string;
  words?: Record<string, string>;
}

const TYPE_WORDS: Record<(typeof CORNER_STORE_TYPES)[number], string> = {
  ABARROTES: 'Abarrotes',
  CAFE_INTERNET: 'Café internet',
  CARNICERIA: 'Carnicería',
  CREMERIA: 'Cremería',
  DULCERIA: 'Dulcería',
  FARMACIA: 'Farmacia',
  FERRETERIA: 'Ferretería',
  MISCELÁNEA: 'Miscelánea',
  PAPELERIA: 'Papelería',
  RESTAURANTE: 'Restaurante',
  POLLERÍA: 'Pollería',
};

const LIFETIME_WORDS: Record<(typeof BUSINESS_LIFETIMES)[number], string> = {
  LESS_THAN_SIX_MONTHS: 'Menos de seis meses',
  LESS_THAN_ONE_YEAR: 'De seis meses a un año',
  'ONE-TO-TWO_YEARS': 'De uno a dos años',
  'TWO-TO-THREE_YEARS': 'De dos a tres años',
  'THREE-TO-FIVE_YEARS': 'De tres a cinco años',
  MORE_THAN_FIVE_YEARS: 'Más de cinco años',
};

const OWNERSHIP_WORDS: Record<(typeof OWNERSHIP_STATUSES)[number], string> = {
  DUEÑO: 'Es mía',
  EMPLEADO: 'Trabajo en ella',
};

const LOCALE_WORDS: Record<(typeof LOCALE_OWNERS)[number], string> = {
  PROPIO: 'Propio',
  ALQUILADO: 'Rentado',
};

const FIELDS: Field[] = [
  { name: 'cornerStoreName', label: 'Nombre de tu tienda', maxLength: MAX_STORE_NAME },
  {
    name: 'cornerStoreAddress',
    label: 'Dirección: calle, número, colonia y ciudad',
    maxLength: MAX_STORE_ADDRESS,
    autocomplete: 'street-address',
  },
  { name: 'cornerStoreType', label: 'Giro', words: TYPE_WORDS },
  { name: 'businessLifetime', label: '¿Desde hace cuánto está abierta?', words: LIFETIME_WORDS },
  { name: 'ownershipStatus', label: '¿La tienda es tuya?', words: OWNERSHIP_WORDS },
  { name: 'localeOwner', label: 'El local es', words: LOCALE_WORDS },
];

export const DATA_NOT_VALID = problem(
  422,
  'Revisa los datos marcados: falta alguno o no es válido.',
);

/** The data of a store as typed, and which fields are not valid. */
export interface StoreData {
  values: Partial<Record<FieldName, string>>;
  wrong: FieldName[];
}

export const NO_STORE_DATA: StoreData = { values: {}, wrong: [] };

/** Reads the form. Line breaks and other control characters become spaces. */
export function storeDataIn(form: unknown): StoreData {
  const values: StoreData['values'] = {};
  const wrong: FieldName[] = [];
  for (const { name, maxLength, words } of FIELDS) {
    const text = textIn(form, name, maxLength)
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim();
    const isValid = text !== '' && (words === undefined || Object.hasOwn(words, text));
    if (isValid) values[name] = text;
    else wrong.push(name);
  }
  return { values, wrong };
}

export function storeDataPage(path: string, { values, wrong }: StoreData, notice?: Notice): Page {
  return {
    status: notice?.status ?? 200,
    title: 'Datos de tu tienda',
    progress: progressOf(SCREENS),
    content: html`${noticeOf(notice)}
      <form method="post" action="${path}/${STORE_DATA_PATH}">
        ${FIELDS.map((field) => fieldOf(field, values[field.name] ?? '', wrong.includes(field.name)))}
        <button type="submit">Guardar datos</button>
      </form>`,
  };
}

function fieldOf(field: Field, value: string, isWrong: boolean): Html {
  const { words } = field;
  const wrong = words === undefined ? 'Escribe este dato.' : 'Elige una opción.';
  return formField({ ...field, wrong, options: words && Object.entries(words) }, value, isWrong);
}
