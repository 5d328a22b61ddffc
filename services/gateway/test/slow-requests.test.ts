import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { JPEG, KycPages, TOKEN } from './support/kyc-pages';
import { openConnection, type RawConnection } from './support/raw-connection';

const MINUTE_MS = 60_000;
/** The gateway looks at its slow requests more often than this. */
const A_LOOK_MS = 3 * TEST_TIMING.lookAtArrivals;
/** Other requests that are answered meanwhile: with each, the gateway reads more of what was written. */
const ROUND_TRIPS = 20;
const BOUNDARY = 'the-boundary';
const FILE_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="foto.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
const FILE_END = `\r\n--${BOUNDARY}--\r\n`;

let pages: KycPages;
beforeAll(async () => {
  pages = await KycPages.start();
});
afterAll(() => pages.gateway.stop());
const open: RawConnection[] = [];
beforeEach(() => pages.reset());
afterEach(() => {
  for (const connection of open.splice(0)) connection.destroy();
});

/** Sends the beginning of a form with a picture of that length. */
async function beginPhoto(length: number, path = '/cara'): Promise<RawConnection> {
  const connection = await openConnection(pages.gateway.url);
  open.push(connection);
  const total = FILE_HEAD.length + length + FILE_END.length;
  connection.write(
    `POST /kyc/${TOKEN}${path} HTTP/1.1\r\nHost: x\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${total}\r\n\r\n`,
  );
  connection.write(FILE_HEAD);
  return connection;
}

/** Lets the gateway read what was written, and then lets time pass for it. */
async function pass(ms: number): Promise<void> {
  for (let i = 0; i < ROUND_TRIPS; i += 1) {
    await pages.gateway.call('GET', '/health/live', { key: undefined });
  }
  pages.gateway.advance(ms);
  await sleep(A_LOOK_MS);
}

describe('a picture of 4 MB', () => {
  it('is taken when it arrives over minutes, at the pace of a slow phone', async () => {
    const picture = Buffer.concat([JPEG, Buffer.alloc(4_000_000)]);
    const connection = await beginPhoto(picture.length);
    const parts = 4;
    const size = Math.ceil(picture.length / parts);
    for (let part = 0; part < parts; part += 1) {
      connection.write(picture.subarray(part * size, (part + 1) * size));
      await pass(MINUTE_MS);
    }
    connection.write(FILE_END);
    expect(await connection.received('Location:')).toContain('303 See Other');
    expect(pages.sent()).toHaveLength(1);
  });

  it('that stops to arrive is refused with what to do, and its connection cut', async () => {
    const connection = await beginPhoto(4_000_000);
    connection.write(Buffer.alloc(300_000));
    await pass(MINUTE_MS);
    connection.write('a few bytes');
    await pass(MINUTE_MS);
    const answer = await connection.received('Elige menos calidad');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('Paso 4 de 6');
    await pass(MINUTE_MS);
    await connection.closed();
    expect(pages.sent()).toEqual([]);
  });

  it('is one of two that a link may send at once', async () => {
    const first = await beginPhoto(4_000_000);
    await beginPhoto(4_000_000);
    await pass(0);
    expect((await pages.sendPhoto(JPEG)).text).toContain('muchas fotos en espera');
    first.destroy();
    let status = 0;
    while (status !== 303) ({ status } = await pages.sendPhoto(JPEG));
  });
});

describe('15 seconds for a whole request are the limit', () => {
  it('of a picture behind a link that takes none', async () => {
    pages.link = { valid: false };
    const connection = await beginPhoto(4_000_000);
    await pass(16_000);
    await connection.closed();
  });

  it('of another form', async () => {
    const connection = await openConnection(pages.gateway.url);
    open.push(connection);
    connection.write(
      `POST /kyc/${TOKEN}/datos HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na`,
    );
    await pass(16_000);
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });
});
