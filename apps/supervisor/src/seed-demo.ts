import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file';
import { createOpsApi, isKeyKnown, type OpsApi } from './ops-api';
import { messageOf, type Say } from './say';

/** The person in whose name a newcomer looks around. */
const DEMO_ADMIN = { email: 'demo@lender.example', name: 'Ana (demo)', role: 'admin' };

interface Customer {
  externalId: string;
  userId: string;
  cornerStoreId: string;
  status: string;
}

/** The parts of the demo that exist. Each step adds its part and saves it. */
export interface Demo {
  wholesaler?: { wholesalerId: string; apiKey: string };
  customers?: Customer[];
  /** Ids of the corner stores that were approved. */
  approved?: string[];
  paymentProvider?: { paymentProviderId: string; name: string; apiKey: string };
}

export interface SeedOptions {
  baseUrl: string;
  opsKey: string;
  dataDir: string;
}

/** The customer of the first curl. */
const FIRST_CUSTOMER = 'tienda-001';
export const FIRST_PATH = `/v1/corner-store/external/${FIRST_CUSTOMER}`;

const TERMS = { creditLimit: 10_000, interestRate: 0.05 };

/** Numbers that a Mexican phone could have; sandbox sends no SMS to them. */
const CUSTOMERS = [
  {
    externalId: FIRST_CUSTOMER,
    firstName: 'Guadalupe',
    lastNames: 'Hernández López',
    phoneNumber: '+525555550101',
  },
  {
    externalId: 'tienda-002',
    firstName: 'José',
    lastNames: 'Martínez Cruz',
    phoneNumber: '+525555550102',
  },
  {
    externalId: 'tienda-003',
    firstName: 'Rosa',
    lastNames: 'Ramírez Flores',
    phoneNumber: '+525555550103',
  },
].map((customer) => ({ ...customer, ...TERMS }));

/** The others stay pre-approved, as an exercise. */
const APPROVED_CUSTOMERS = 2;

/** File of the demo's keys and ids. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/**
 * Makes a wholesaler with three customers and a payment provider, through the API like anybody
 * else. What an earlier start made is kept; what it was killed before is made now. If it is killed
 * between an answer and saving it, one wholesaler or provider remains whose key is lost.
 */
export async function seedDemo(options: SeedOptions, signal: AbortSignal): Promise<Demo> {
  const { baseUrl, opsKey, dataDir } = options;
  const ops = atOnce(createOpsApi(baseUrl, opsKey, signal));
  const demo = await stillValidDemo(baseUrl, dataDir);
  const save = () => writeJsonFile(demoFile(dataDir), demo);

  if (!demo.wholesaler) {
    demo.wholesaler = await ops.post('/wholesalers', { name: 'Abarrotera del Centro (demo)' });
    await save();
  }
  if (!demo.customers) {
    demo.customers = await importCustomers(ops, demo.wholesaler.wholesalerId);
    await save();
  }
  for (const { cornerStoreId } of demo.customers.slice(0, APPROVED_CUSTOMERS)) {
    if (demo.approved?.includes(cornerStoreId)) continue;
    await ops.post(`/corner-stores/${cornerStoreId}/approve`);
    demo.approved = [...(demo.approved ?? []), cornerStoreId];
    await save();
  }
  if (!demo.paymentProvider) {
    demo.paymentProvider = await ops.post('/payment-providers', { name: 'Pagos Demo' });
    await save();
  }
  return demo;
}

/** These calls need their answer, so one that waits for a second person ends the demo with that reason. */
function atOnce(ops: OpsApi): OpsApi {
  return {
    async post<T>(path: string, body?: unknown): Promise<T> {
      const answer = await ops.post<T & { changeRequestId?: string }>(path, body);
      if (answer.changeRequestId) {
        throw new Error(`POST /v1/admin${path} waits for a second person, as FOUR_EYES=all asks`);
      }
      return answer;
    },
  };
}

async function importCustomers(ops: OpsApi, wholesalerId: string): Promise<Customer[]> {
  const path = `/wholesalers/${wholesalerId}/customers`;
  const answer = await ops.post<{ customers: Customer[] }>(path, { customers: CUSTOMERS });
  return answer.customers;
}

/** The stored demo, unless it was made in another database than today's. */
async function stillValidDemo(baseUrl: string, dataDir: string): Promise<Demo> {
  const stored = await readJsonFile<Demo>(demoFile(dataDir));
  if (!stored?.wholesaler) return {};
  return (await isKeyKnown(baseUrl, stored.wholesaler.apiKey, FIRST_PATH)) ? stored : {};
}

/**
 * Invites the admin of the demo, at each start anew, which makes the link of an earlier start void.
 * Without the link the rest of the sandbox is worth as much: somebody has changed the demo's admin.
 * @returns a link that signs in to the console, once and within 24 hours; undefined where the
 * invitation failed or waits for a second person
 */
export async function inviteDemoAdmin(
  { baseUrl, opsKey, say }: { baseUrl: string; opsKey: string; say: Say },
  signal: AbortSignal,
): Promise<string | undefined> {
  const ops = createOpsApi(baseUrl, opsKey, signal);
  try {
    const invited = await ops.post<{ invitationLink?: string }>('/staff', DEMO_ADMIN);
    return invited.invitationLink;
  } catch (error) {
    signal.throwIfAborted();
    say(`no sign-in link for the console: ${messageOf(error)}`);
    return undefined;
  }
}
