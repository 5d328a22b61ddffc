import { randomUUID } from 'node:crypto';
import { keepNames } from '../../../services/accounts/src/names/keep-names';
import { createCustomer, type Customer } from '../../../services/accounts/test/support/accounts';
import {
  startConsoleWithCustomer,
  type Person,
  type RunningConsole,
} from './support/running-console';

let fiado: RunningConsole;
let admin: Person;
let viewer: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ fiado, admin, viewer, wholesalerId, customer } = await startConsoleWithCustomer());
});
afterAll(() => fiado.stop());

describe('the search', () => {
  /** The page that a search leads to, and its text. */
  const search = async (person: Person, q: string): Promise<{ path: string; text: string }> => {
    let { location: path } = await person.post('/buscar', { q });
    for (;;) {
      const page = await person.get(path ?? '');
      if (page.location === null) return { path: path ?? '', text: page.text };
      path = page.location;
    }
  };

  it('is on every page and leads from an external id to its store', async () => {
    expect((await admin.get('/webhooks')).text).toContain('role="search"');
    const { path } = await search(admin, customer.externalId);
    expect(path).toBe(`/tiendas/${customer.cornerStoreId}`);
  });

  it('finds a phone for an operator and not for a viewer', async () => {
    const store = `/tiendas/${customer.cornerStoreId}`;
    expect((await search(admin, customer.phoneNumber)).path).toBe(store);
    expect((await search(viewer, customer.phoneNumber)).text).not.toContain(store);
  });

  it('finds a store by words of its owner’s names, for an operator and not for a viewer', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId, {
      firstName: 'Xóchitl',
      lastNames: 'Quetzal Núñez',
    });
    while (await keepNames(fiado.accounts.context));
    const { path, text } = await search(admin, 'nun xochi');
    expect(path).toBe(`/tiendas/${cornerStoreId}`);
    expect(text).toContain('Xóchitl Quetzal Núñez');
    expect((await search(viewer, 'nun xochi')).text).not.toContain(cornerStoreId);
    expect((await admin.get('/auditoria?accion=name.searched')).text).toContain('buscó un nombre');
  });

  it('finds colleagues for an admin and not for an approver', async () => {
    const luis = await fiado.person('approver');
    const found = `href="/personal?persona=${luis.staffId}"`;
    // All of them are called so.
    expect((await search(admin, 'ana TORRES')).text).toContain(found);
    expect((await search(luis, 'ana TORRES')).text).not.toContain(found);
  });

  it('shows what was typed as text', async () => {
    const { text } = await search(admin, '<script>alert(1)</script>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});

it('a viewer sees a masked phone, and all of it after giving a reason', async () => {
  const page = `/tiendas/${customer.cornerStoreId}`;
  expect((await admin.get(page)).text).not.toContain('/telefono');
  const { text } = await viewer.get(page);
  expect(text).toContain(`action="${page}/telefono"`);
  expect(text).not.toContain(customer.phoneNumber);
  const revealed = await viewer.post(`${page}/telefono`, { reason: 'delivery' });
  expect([revealed.status, revealed.text.includes(customer.phoneNumber)]).toEqual([200, true]);
  const { text: audit } = await admin.get('/auditoria?accion=phone.revealed');
  expect(audit).toContain('vio el teléfono de');
});

it('the audit log leads from a look at a document to its store, and from a decided dispute to its order, and has words for reasons', async () => {
  const [documentId, orderId] = [randomUUID(), randomUUID()];
  await fiado.accounts.rows(
    `INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
     VALUES (gen_random_uuid(), 'ops', 'x', 'document.viewed', $1, $2),
            (gen_random_uuid(), 'ops', 'x', 'phone.revealed', $3, '{"reason": "complaint"}'),
            (gen_random_uuid(), 'ops', 'x', 'dispute.kept', $4, '{}')`,
    [documentId, { cornerStoreId: customer.cornerStoreId }, customer.cornerStoreId, orderId],
  );
  const { text } = await admin.get('/auditoria?persona=x');
  const link = `<a href="/tiendas/${customer.cornerStoreId}">`;
  expect(text).toMatch(new RegExp(`vio un documento de\\s*${link}`));
  expect(text).toMatch(new RegExp(`vio el teléfono de\\s*${link}[^]*Una queja`));
  expect(text).toMatch(
    new RegExp(`pedido en disputa\\s*\\(<a href="/pedidos/${orderId}">ver pedido`),
  );
  expect(text).not.toContain(documentId);
  expect(text).not.toContain(`: ${customer.cornerStoreId}`);
});
