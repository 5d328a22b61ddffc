import { setTimeout as pause } from 'node:timers/promises';
import type { StandInAnswer } from '@fiado/chassis/testing/stand-in';
import { type StandInApi, notValid, refusal } from './stand-in-api';
import { ID } from './run-fiado';

interface SentCustomer {
  externalId: string;
  phoneNumber: string;
  creditLimit: number;
}

/** The import of accounts, as far as its answers go: all rows of a request or none. */
export interface ImportApi {
  /** externalId by phone. */
  customers: Map<string, string>;
  /** Rows of each request. */
  sizes: number[];
  /** The most requests that were answered at the same time. */
  mostAtOnce(): number;
}

const FULL_REQUEST = 1000;
const FULL_REQUEST_MS = 100;

export const IMPORT_PATH = `/wholesalers/${ID}/customers`;

/** @param namesRows whether its answers name the rows at fault, as accounts does */
export function serveImports(api: StandInApi, namesRows = true): ImportApi {
  const customers = new Map<string, string>();
  const sizes: number[] = [];
  let atOnce = 0;
  let most = 0;

  api.on(`POST ${IMPORT_PATH}`, async ({ body }) => {
    const rows = (body as { customers: SentCustomer[] }).customers;
    sizes.push(rows.length);
    atOnce += 1;
    most = Math.max(most, atOnce);
    // Long enough for a third full request to come meanwhile, if it were sent.
    if (rows.length === FULL_REQUEST) await pause(FULL_REQUEST_MS);
    atOnce -= 1;
    return problemsIn(rows, customers, namesRows) ?? imported(rows, customers);
  });
  return { customers, sizes, mostAtOnce: () => most };
}

function problemsIn(
  rows: SentCustomer[],
  customers: Map<string, string>,
  namesRows: boolean,
): StandInAnswer | undefined {
  const where = (index: number) => (namesRows ? `customers.${index}.` : 'a ');
  const notPhones = rows.flatMap(({ phoneNumber }, index) =>
    phoneNumber.startsWith('+') ? [] : [`${where(index)}phoneNumber must be a valid phone number`],
  );
  if (notPhones.length > 0) return notValid(...notPhones);

  const inRequest = new Map<string, string>();
  for (const [index, { phoneNumber, externalId }] of rows.entries()) {
    const known = customers.get(phoneNumber) ?? inRequest.get(phoneNumber) ?? externalId;
    const name = namesRows ? `customers.${index}` : 'a customer';
    const text = `${name} has the phoneNumber of a customer with another externalId`;
    if (known !== externalId) return refusal(409, 'CUSTOMER_CONFLICT', text);
    inRequest.set(phoneNumber, externalId);
  }
  return undefined;
}

function imported(rows: SentCustomer[], customers: Map<string, string>): StandInAnswer {
  for (const { phoneNumber, externalId } of rows) customers.set(phoneNumber, externalId);
  return { status: 201, body: { customers: rows.map(({ externalId }) => ({ externalId })) } };
}
