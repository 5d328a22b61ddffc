import type { Answer } from '@fiado/chassis/testing/call';
import { JPEG, KycPages, LINK, TOKEN } from './support/kyc-pages';
import { openConnection, type RawConnection } from './support/raw-connection';
import { readAll } from './support/test-gateway';

/** More than the gateway has places for. */
const MANY = 60;
const NEIGHBOUR = '01a20536-9c1e-74b8-b363-3f3a66fc2f99';

let pages: KycPages;
beforeAll(async () => {
  // The addresses are those that a proxy has seen.
  pages = await KycPages.start({ TRUSTED_PROXY_HOPS: '1' });
  pages.gateway.upstreams.accounts.answer = (req, res) =>
    void readAll(req).then((text) => {
      const { token } = JSON.parse(text) as { token: string };
      const [wholesalerId] = token.split('_');
      if (req.url === '/internal/kyc-links/open') {
        res.end(JSON.stringify({ ...LINK, wholesalerId }));
      } else res.end(JSON.stringify({ outcome: 'recorded' }));
    });
});
afterAll(() => pages.gateway.stop());
const open: RawConnection[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) connection.destroy();
  // Requests that follow are served after their ends.
  for (let i = 0; i < 3; i += 1) await live();
});

const live = (): Promise<Answer> => pages.gateway.call('GET', '/health/live', { key: undefined });

/** Begins a picture and leaves it there. @returns once the gateway has decided whether it reads it */
async function begin(token: string, address: string): Promise<void> {
  const connection = await openConnection(pages.gateway.url);
  open.push(connection);
  connection.write(
    `POST /kyc/${token}/cara HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n--b\r\n',
  );
  await live();
}

/** A whole picture of the neighbour. */
async function sendPhoto(token: string, address: string): Promise<number> {
  const form = new FormData();
  form.append('photo', new Blob([new Uint8Array(JPEG)], { type: 'image/jpeg' }), 'foto.jpg');
  const { status } = await fetch(`${pages.gateway.url}/kyc/${token}/cara`, {
    method: 'POST',
    body: form,
    headers: { 'x-forwarded-for': address },
    redirect: 'manual',
  });
  return status;
}

it.each([
  [
    'a wholesaler with many links and addresses',
    (at: number) => [LINK.wholesalerId, `198.51.100.${at + 1}`],
  ],
  [
    'an address with links of many wholesalers',
    (at: number) => [`wholesaler-${at}`, '198.51.100.1'],
  ],
] as const)(
  '%s that begins pictures and ends none leaves a neighbour its places',
  async (_who, of) => {
    const asked = () => pages.gateway.seenBy('accounts').length;
    const before = asked();
    for (let at = 0; at < MANY; at += 1) {
      const [wholesalerId = '', address = ''] = of(at);
      await begin(`${wholesalerId}_${at}${TOKEN.slice(0, 9)}`, address);
    }
    // Each was asked about once, so the gateway has seen them all.
    while (asked() < before + MANY) await live();
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, at) => sendPhoto(`${NEIGHBOUR}_${at}`, `203.0.113.${at}`)),
    );
    expect(sent).toEqual([303, 303, 303, 303, 303]);
  },
);
